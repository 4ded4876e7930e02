// Package v2beta3 stands for Akash's package of this name: the client's interfaces name one type of it, and never use it.
package v2beta3

// ServiceProtocol is the protocol of a port.
type ServiceProtocol string
