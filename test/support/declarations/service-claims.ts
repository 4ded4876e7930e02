import { claimsOfService } from '../../../src/core/declarations/claims.ts';
import type { ServiceClaim } from '../../../src/core/model/claim.ts';
import type { AnycastGroup } from '../../../src/core/model/pools.ts';
import type { Reservation } from '../../../src/core/model/service.ts';
import { aReservation } from './services.ts';

/** What a test says about a reservation; the rest has defaults. */
export type ReservationWords = Partial<Omit<Reservation, 'ports'>> & { readonly port?: number };

/** The one claim of {@link aReservation}. */
export function serviceClaim(
  { port = 80, ...words }: ReservationWords = {},
  anycast: readonly AnycastGroup[] = [],
): ServiceClaim {
  const ports = [{ port, targetPort: undefined, protocol: 'TCP' as const }];
  const [claim] = claimsOfService(aReservation({ ...words, ports }), anycast);
  if (!claim) throw new Error('a reservation has a claim');
  return claim;
}
