module github.com/openshift/client-go

go 1.27.0

require k8s.io/client-go v0.37.0
