// Package v1 stands for Akash's package of this name: the ids by which the client asks.
package v1

// OrderID names an order.
type OrderID struct {
	Owner string
	DSeq  uint64
	GSeq  uint32
	OSeq  uint32
}

// GetOwner gives the account whose order it is.
func (id OrderID) GetOwner() string { return id.Owner }

// GetDSeq gives the number of the deployment.
func (id OrderID) GetDSeq() uint64 { return id.DSeq }

// GetGSeq gives the number of the group.
func (id OrderID) GetGSeq() uint32 { return id.GSeq }

// GetOSeq gives the number of the order.
func (id OrderID) GetOSeq() uint32 { return id.OSeq }

// LeaseID is named by interfaces beside the client, and never used.
type LeaseID struct{}
