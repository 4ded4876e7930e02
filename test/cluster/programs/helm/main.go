// Renders a chart as `helm install RELEASE CHART --namespace NAMESPACE --values -` does, without a cluster:
//
//	helm CHART RELEASE NAMESPACE < VALUES
//
// It writes the text of each template to standard output, as a JSON object by the path in the chart.
package main

import (
	"encoding/json"
	"io"
	"log"
	"os"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/engine"
)

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: helm CHART RELEASE NAMESPACE < VALUES")
	}
	texts, err := rendered(os.Args[1], common.ReleaseOptions{
		Name:      os.Args[2],
		Namespace: os.Args[3],
		Revision:  1,
		IsInstall: true,
	})
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(texts)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// As helm does: pkg/action/install.go.
func rendered(path string, release common.ReleaseOptions) (map[string]string, error) {
	chart, err := loader.Load(path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return nil, err
	}
	given, err := common.ReadValues(text)
	if err != nil {
		return nil, err
	}
	if err := chartutil.ProcessDependencies(chart, given); err != nil {
		return nil, err
	}
	values, err := util.ToRenderValues(chart, given, release, nil)
	if err != nil {
		return nil, err
	}
	return engine.Render(chart, values)
}
