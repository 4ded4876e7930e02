module pkg.akt.dev/go

go 1.26.0
