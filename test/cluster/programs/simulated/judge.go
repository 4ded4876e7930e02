package simulated

import (
	"fmt"
	"slices"
)

// A judge knows the tables, and looks at every status.
type judge struct {
	// The table of the last commit, and those before it back to the last one that was calm.
	now        Stage
	earlier    []Stage
	counts     counts
	violations []string
}

// How often something happened, so that a test can require it.
type counts struct {
	// Statuses written with addresses, and writes that failed.
	Given, Failed int
	// Addresses taken from a Service that the table before and the one now give it to.
	Interrupted int
	// Starts of the controller, and clusters that were lost.
	Restarts, Rebuilt int
	// Pools that the webhook denied for a time.
	Denied int
	// Services that waited for a touch, after several commits together.
	Waited int
	// Stages after which a Service had its address only once the controller was started again.
	Healed int
}

func (c *counts) add(more counts) {
	c.Given += more.Given
	c.Failed += more.Failed
	c.Interrupted += more.Interrupted
	c.Restarts += more.Restarts
	c.Rebuilt += more.Rebuilt
	c.Denied += more.Denied
	c.Waited += more.Waited
	c.Healed += more.Healed
}

func (j *judge) says(violation string) {
	j.violations = append(j.violations, violation)
}

func (j *judge) expects(next Stage) {
	j.earlier = append(j.earlier, j.now)
	j.now = next
}

// seesStatus judges one write by the addresses before it: only addresses of a table, and none that another holder has.
func (j *judge) seesStatus(a *API, at Place, had []string) {
	name := at.service()
	has := a.plane.Addresses(a.live[at])
	may := j.now.Table[name]
	wasGiven := len(may) > 0 && len(j.earlier) == 1 && slices.Equal(may, j.earlier[0].Table[name])
	if wasGiven && slices.Equal(had, may) && !slices.Equal(has, may) {
		j.counts.Interrupted++
	}
	if len(has) == 0 {
		return
	}
	j.counts.Given++
	holder := ""
	for _, table := range append([]Stage{j.now}, j.earlier...) {
		if slices.Equal(table.Table[name], has) || a.plane.GivesParts && isPart(has, table.Table[name]) {
			holder = table.Holders[name]
			break
		}
	}
	if holder == "" {
		j.says(fmt.Sprintf("%s gets %v; it may have %v", name, has, may))
		return
	}
	j.seesOthers(a, at, has)
}

// seesOthers finds an address that two holders have at one time.
func (j *judge) seesOthers(a *API, at Place, has []string) {
	for _, other := range a.Places("Service") {
		if other == at || j.sameHolder(at, other) {
			continue
		}
		for _, address := range a.plane.Addresses(a.live[other]) {
			if slices.Contains(has, address) {
				j.says(fmt.Sprintf("%s gets %s, which %s has", at, address, other))
			}
		}
	}
}

// sameHolder is true for two Services of one holder, also when one comes in a later commit than that in which the other goes.
func (j *judge) sameHolder(one, other Place) bool {
	tables := append([]Stage{j.now}, j.earlier...)
	for _, table := range tables {
		holder := table.Holders[one.service()]
		for _, another := range tables {
			if holder != "" && holder == another.Holders[other.service()] {
				return true
			}
		}
	}
	return false
}

func isPart(has, all []string) bool {
	return !slices.ContainsFunc(has, func(one string) bool { return !slices.Contains(all, one) })
}

// stranded are the Services without their planned addresses.
func (j *judge) stranded(a *API) []string {
	var found []string
	for _, at := range a.Places("Service") {
		name := at.service()
		has := a.plane.Addresses(a.live[at])
		if !slices.Equal(has, j.now.Table[name]) {
			found = append(found, fmt.Sprintf("%s has %v in the end, and not %v", name, has, j.now.Table[name]))
		}
	}
	return found
}

// seesCalm judges what is live once nothing more will happen: each Service has what is planned for it.
func (j *judge) seesCalm(a *API) {
	j.violations = append(j.violations, j.stranded(a)...)
	if a.plane.Faults != nil {
		j.violations = append(j.violations, a.plane.Faults(a)...)
	}
	j.earlier = nil
}
