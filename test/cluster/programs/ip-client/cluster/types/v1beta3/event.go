// Package v1beta3 stands for the provider's package of this name: an interface beside the client names one type of it.
package v1beta3

// ProviderResourceEvent is what happened to a resource.
type ProviderResourceEvent string
