import type { Plane } from '../../../core/model/planes.ts';
import { ciliumEvidence } from './cilium/cilium.ts';
import { ciliumFindings } from './cilium/doctor.ts';
import { metallbFindings } from './metallb/doctor/doctor.ts';
import { metallbEvidence } from './metallb/metallb.ts';
import type { LivePlane } from './plane.ts';

/** Every data plane that verify and doctor know. */
export const livePlanes: Readonly<Record<Plane['kind'], LivePlane>> = {
  metallb: { evidence: metallbEvidence, findings: metallbFindings },
  cilium: { evidence: ciliumEvidence, findings: ciliumFindings },
};
