// Package ext stands in for the extension point of Traefik's configuration, a module that its releases lack. It is as
// empty as Traefik's own.
package ext

// HTTP extends nothing.
type HTTP struct{}

// Router extends nothing.
type Router struct{}
