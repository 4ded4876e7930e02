// Reads a JSON list of YAML documents from standard input, and writes what each reader of a cluster makes of each:
// a list of objects, the name of a reader to the value as JSON, or to the text of its error.
package main

import (
	"encoding/json"
	"os"

	yaml3 "go.yaml.in/yaml/v3"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
	"sigs.k8s.io/yaml"
)

// kubectl, Argo CD and Helm.
func asKubectl(text string) ([]byte, error) {
	return yaml.YAMLToJSON([]byte(text))
}

// Programs of many kinds.
func asGo(text string) ([]byte, error) {
	var value any
	if err := yaml3.Unmarshal([]byte(text), &value); err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

// Flux: kustomize reads an object, writes it again, and what it wrote is read and applied.
func asKustomize(text string) ([]byte, error) {
	node, err := kyaml.Parse(text)
	if err != nil {
		return nil, err
	}
	object, err := node.MarshalJSON()
	if err != nil {
		return nil, err
	}
	written, err := yaml.JSONToYAML(object)
	if err != nil {
		return nil, err
	}
	return yaml.YAMLToJSON(written)
}

var readers = map[string]func(string) ([]byte, error){
	"kubectl":   asKubectl,
	"go":        asGo,
	"kustomize": asKustomize,
}

func main() {
	var texts []string
	if err := json.NewDecoder(os.Stdin).Decode(&texts); err != nil {
		panic(err)
	}
	answers := make([]map[string]any, len(texts))
	for index, text := range texts {
		answers[index] = map[string]any{}
		for name, read := range readers {
			value, err := read(text)
			if err != nil {
				answers[index][name] = err.Error()
			} else {
				answers[index][name] = json.RawMessage(value)
			}
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		panic(err)
	}
}
