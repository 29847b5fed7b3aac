/** A network that allowances are counted for. */
export interface NetworkBucket {
  /** The network of a principal, or `6/48:<prefix>`. */
  readonly network: string
  /** Its allowance, as a multiple of the narrowest one's. */
  readonly times: number
}

/** How many networks of a /48 may use up all of their allowance: more than a household has, far fewer than the 65,536 that fit. */
const networksOfSite = 8

/**
 * The networks that a caller counts in, the narrowest first: of IPv4 the address alone; of IPv6 the /64 and the /48 around it, which is what one
 * customer is given and can take a new /64 from for each request.
 * @param network of a principal: `4:<address>`, `6:<first 64 bits>`
 */
export function networkBuckets(network: string): readonly [NetworkBucket, ...NetworkBucket[]] {
  const own = { network, times: 1 }
  const site = /^6:((?:[0-9a-f]+:){2}[0-9a-f]+):[0-9a-f]+$/.exec(network)?.[1]
  return site === undefined ? [own] : [own, { network: `6/48:${site}`, times: networksOfSite }]
}
