// Asks an IP operator what an Akash provider asks it, through the provider's own client, and writes the answers as JSON:
//
//	ip-client HOST PORT [OWNER/DSEQ/GSEQ/OSEQ]...
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"cosmossdk.io/log"
	market "pkg.akt.dev/go/node/market/v1"

	"github.com/akash-network/provider/cluster/kube/operators/clients/ip"
)

// answer is what the client gave: a value, or the text of its error.
type answer struct {
	Value any    `json:"value"`
	Error string `json:"error,omitempty"`
}

func answerOf(value any, err error) answer {
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Value: value}
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func orderOf(text string) market.OrderID {
	parts := strings.Split(text, "/")
	if len(parts) != 4 {
		must(0, fmt.Errorf("no order: %s", text))
	}
	return market.OrderID{
		Owner: parts[0],
		DSeq:  must(strconv.ParseUint(parts[1], 10, 64)),
		GSeq:  uint32(must(strconv.ParseUint(parts[2], 10, 32))),
		OSeq:  uint32(must(strconv.ParseUint(parts[3], 10, 32))),
	}
}

func main() {
	if len(os.Args) < 3 {
		must(0, fmt.Errorf("usage: ip-client HOST PORT [OWNER/DSEQ/GSEQ/OSEQ]..."))
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	port := uint16(must(strconv.ParseUint(os.Args[2], 10, 16)))
	client := must(ip.NewClient(ctx, log.NewNopLogger(), &net.SRV{Target: os.Args[1], Port: port}))
	defer client.Stop()

	// The client does not read the body of this answer: one that has a body keeps its connection, and there are two.
	check := errors.Join(client.Check(ctx), client.Check(ctx), client.Check(ctx))
	usage, err := client.GetIPAddressUsage(ctx)
	statuses := []answer{}
	for _, text := range os.Args[3:] {
		status, err := client.GetIPAddressStatus(ctx, orderOf(text))
		statuses = append(statuses, answerOf(status, err))
	}
	answers := map[string]any{
		"check":    answerOf(true, check),
		"usage":    answerOf(usage, err),
		"statuses": statuses,
	}
	must(0, json.NewEncoder(os.Stdout).Encode(answers))
}
