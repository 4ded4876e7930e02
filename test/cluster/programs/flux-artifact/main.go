// A registry on loopback that forgets everything at its end, and what `flux push artifact` does with a folder:
//
//	flux-artifact serve HOST:PORT
//	flux-artifact push HOST:PORT/NAME:TAG FOLDER SOURCE REVISION
//
// A push writes the digest of what it made to standard output.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/fluxcd/pkg/oci"
	"github.com/google/go-containerregistry/pkg/registry"
)

func main() {
	switch {
	case len(os.Args) == 3 && os.Args[1] == "serve":
		log.Fatal(http.ListenAndServe(os.Args[2], registry.New()))
	case len(os.Args) == 6 && os.Args[1] == "push":
		// flux2: cmd/flux/push_artifact.go.
		metadata := oci.Metadata{Source: os.Args[4], Revision: os.Args[5]}
		client := oci.NewClient(oci.DefaultOptions())
		digest, err := client.Push(context.Background(), os.Args[2], os.Args[3], oci.WithPushMetadata(metadata))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(digest)
	default:
		log.Fatal("usage: flux-artifact serve ADDRESS | push URL FOLDER SOURCE REVISION")
	}
}
