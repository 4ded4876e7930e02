// Package v1 stands in for the informers of OpenShift's routes.
package v1

import "k8s.io/client-go/tools/cache"

// RouteInformer informs of routes.
type RouteInformer interface {
	Informer() cache.SharedIndexInformer
}
