// A registry on loopback that asks for a password and forgets everything at its end, and what `flux push artifact`
// does with a folder:
//
//	flux-artifact serve HOST:PORT USER PASSWORD
//	flux-artifact push HOST:PORT/NAME:TAG FOLDER SOURCE REVISION USER PASSWORD
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
	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/crane"
	"github.com/google/go-containerregistry/pkg/registry"
)

func main() {
	switch args := os.Args[1:]; {
	case len(args) == 4 && args[0] == "serve":
		log.Fatal(http.ListenAndServe(args[1], guarded(registry.New(), args[2], args[3])))
	case len(args) == 7 && args[0] == "push":
		digest, err := push(args[1], args[2], oci.Metadata{Source: args[3], Revision: args[4]}, args[5], args[6])
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(digest)
	default:
		log.Fatal("usage: flux-artifact serve ADDRESS USER PASSWORD | push URL FOLDER SOURCE REVISION USER PASSWORD")
	}
}

// As flux2 does: cmd/flux/push_artifact.go.
func push(url, folder string, metadata oci.Metadata, user, password string) (string, error) {
	login := crane.WithAuth(&authn.Basic{Username: user, Password: password})
	client := oci.NewClient(append(oci.DefaultOptions(), login))
	return client.Push(context.Background(), url, folder, oci.WithPushMetadata(metadata))
}

func guarded(inner http.Handler, user, password string) http.Handler {
	return http.HandlerFunc(func(answer http.ResponseWriter, asked *http.Request) {
		givenUser, givenPassword, _ := asked.BasicAuth()
		if givenUser != user || givenPassword != password {
			answer.Header().Set("WWW-Authenticate", `Basic realm="leases"`)
			answer.WriteHeader(http.StatusUnauthorized)
			return
		}
		inner.ServeHTTP(answer, asked)
	})
}
