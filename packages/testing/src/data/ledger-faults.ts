/** Invariants of billing's books, as queries of its schema in PostgreSQL whose rows are the faults. */
export const ledgerFaults = {
  /** Accounts whose ledger does not add up to their credits, or was below zero: `user_id`. */
  unbalanced: `
    select user_id from billing.accounts
    left join (select user_id, sum(delta) as total, min(balance_after) as least from billing.ledger group by user_id) l using (user_id)
    where monthly + granted <> coalesce(total, 0) or least < 0`,
  /** Generations whose number of captures does not fit the state of their hold: `generation_id`, `captures`. */
  miscounted: `
    select generation_id, count(l.kind)::int as captures from billing.holds
    left join billing.ledger l using (generation_id) where l.kind = 'capture' or l.kind is null or holds.state <> 'captured'
    group by generation_id, state having count(l.kind) filter (where l.kind = 'capture') <> (state = 'captured')::int`,
} as const
