// The client of Akash's provider, and a program that calls it. The module is named as theirs is: what programs.json lists
// under "unmodified" is compiled in its place here, out of their module, and never kept in this repository.
module github.com/akash-network/provider

go 1.26.0

require (
	cosmossdk.io/log v1.6.1
	github.com/boz/go-lifecycle v0.1.1
	pkg.akt.dev/go v0.2.16
)

require (
	github.com/bytedance/gopkg v0.1.3 // indirect
	github.com/bytedance/sonic v1.15.0 // indirect
	github.com/bytedance/sonic/loader v0.5.0 // indirect
	github.com/cloudwego/base64x v0.1.6 // indirect
	github.com/klauspost/cpuid/v2 v2.2.10 // indirect
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	github.com/pkg/errors v0.9.1 // indirect
	github.com/rs/zerolog v1.34.0 // indirect
	github.com/twitchyliquid64/golang-asm v0.15.1 // indirect
	golang.org/x/arch v0.17.0 // indirect
	golang.org/x/sys v0.33.0 // indirect
)

// The module proxy does not give this module. The client reads four numbers and names of it: akt/ has those.
replace pkg.akt.dev/go => ./akt
