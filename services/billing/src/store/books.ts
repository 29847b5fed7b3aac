import type { Event } from '@parley/contracts'
import { inboxStatement, outboxStatement, type Send, type Statement } from '@parley/db'
import type { Account, Entry, Generation, Hold, Plans, PlanTerms } from '../credits/account.ts'

/** Rows of `accounts` in the form that decisions use. */
export const accountColumns = `user_id as "userId", plan_id as "planId", period, anchor, period_start as "periodStart",
  period_end as "periodEnd", monthly, granted, used, month_credits as "monthCredits", warned_period as "warnedPeriod",
  acknowledged_period as "acknowledgedPeriod", window_start as "windowStart", window_count as "windowCount"`
const holdColumns = `generation_id as "generationId", user_id as "userId", amount, unlimited, from_monthly as "fromMonthly",
  from_granted as "fromGranted", period, state, charged, expires_at as "expiresAt", settled_at as "settledAt"`

export const begin: Statement = { text: 'begin' }
export const commit: Statement = { text: 'commit' }

/** The references of acts to the data they need. */
interface References {
  readonly userId?: string
  readonly generationId?: string
  readonly eventId?: string
  readonly idempotencyKey?: string
}

/** The data that a transaction has locked and read. */
export interface Loaded {
  /** The locked accounts. */
  readonly accounts: ReadonlyMap<string, Account>
  readonly holds: ReadonlyMap<string, Hold>
  /** Users with an account, locked or not. */
  readonly existing: ReadonlySet<string>
  readonly erased: ReadonlySet<string>
  /** Ids of events handled, and keys used, before. */
  readonly handled: ReadonlySet<string>
  readonly plans: Plans
  /** The database's time. */
  readonly now: Date
}

interface Context {
  readonly now: Date
  readonly existing: readonly string[]
  readonly erased: readonly string[]
  readonly handled: readonly string[]
  readonly plans: Readonly<Record<string, PlanTerms>>
  /** With times as in JSON. */
  readonly holds: readonly (Omit<Hold, 'expiresAt' | 'settledAt'> & {
    readonly expiresAt: string
    readonly settledAt: string | null
  })[]
}

const inboxGroup = 'billing.settlements'

/** Users referenced by acts or by the holds of their generations: $1 users, $2 generations. */
const owners = `array(select unnest($1::text[]) union select user_id from holds where generation_id = any($2::text[]))`
/** Locks in a fixed order, so that transactions do not deadlock. */
const lock = `select ${accountColumns} from accounts where user_id = any(${owners}) order by user_id for update`
const lockAll = { name: 'lock-accounts', text: lock }
const lockFree = { name: 'lock-free-accounts', text: `${lock} skip locked` }
// A separate statement, so that it sees the changes committed by the previous lock holder.
const readContext = {
  name: 'read-context',
  text: `
    with owners as materialized (select ${owners} as ids)
    select clock_timestamp() as now,
      array(select user_id from accounts where user_id = any(ids)) as existing,
      array(select id from unnest(ids) as id where exists (select from erased_users where id_hash = user_hash(id))) as erased,
      array(select event_id from inbox where consumer_group = '${inboxGroup}' and event_id = any($3::text[])) as handled,
      (select jsonb_object_agg(id, jsonb_build_object('monthlyCredits', monthly_credits, 'requestsPerWindow', requests_per_window,
        'windowMs', window_ms)) from plans) as plans,
      (select coalesce(jsonb_agg(hold), '[]') from (
        select ${holdColumns} from holds where generation_id = any($2)
      ) as hold) as holds
    from owners`,
}

/** Creates missing accounts, with the default plan, before their first month. */
export const makeAccounts = (userIds: readonly string[]): Statement => ({
  name: 'make-accounts',
  text: `
    insert into accounts (user_id, plan_id, anchor, period_start, period_end)
    select user_id, plan_id, now(), now(), now() from default_plan, unnest($1::text[]) as user_id order by user_id
    on conflict do nothing`,
  values: [[...new Set(userIds)]],
})

/** Locks the accounts of acts and reads the data for their decisions, in one round trip. @param waits for accounts that are locked elsewhere; otherwise they are left out */
export async function loadAccounts(
  send: Send,
  first: Statement | undefined,
  wanted: readonly References[],
  waits: boolean,
): Promise<Loaded> {
  const named = (name: keyof References) => [...new Set(wanted.flatMap((one) => one[name] ?? []))]
  const [users, generations] = [named('userId'), named('generationId')]
  const answers = await send(
    ...(first ? [first] : []),
    { ...(waits ? lockAll : lockFree), values: [users, generations] },
    { ...readContext, values: [users, generations, [...named('eventId'), ...named('idempotencyKey')]] },
  )
  const [accounts, rows] = answers.slice(-2) as [Account[], [Context]]
  const [{ now, plans, holds, existing, erased, handled }] = rows
  return {
    now,
    accounts: new Map(accounts.map((account) => [account.userId, account])),
    holds: new Map(holds.map((hold) => [hold.generationId, withTimes(hold)])),
    plans: new Map(Object.entries(plans)),
    existing: new Set(existing),
    erased: new Set(erased),
    handled: new Set(handled),
  }
}

const withTimes = (hold: Context['holds'][number]): Hold => ({
  ...hold,
  expiresAt: new Date(hold.expiresAt),
  settledAt: hold.settledAt === null ? null : new Date(hold.settledAt),
})

/** The changes of a transaction. */
export interface Written {
  readonly accounts: readonly Account[]
  readonly newHolds: readonly Hold[]
  readonly changedHolds: readonly Hold[]
  readonly entries: readonly Entry[]
  /** Each one once. */
  readonly generations: readonly Generation[]
  readonly events: readonly Event[]
  /** Ids of the events handled, and keys used, in it. */
  readonly eventIds: readonly string[]
}

const write = `
  with changed as (
    update accounts set plan_id = a."planId", period = a.period, anchor = a.anchor, period_start = a."periodStart",
      period_end = a."periodEnd", monthly = a.monthly, granted = a.granted, used = a.used,
      month_credits = a."monthCredits", warned_period = a."warnedPeriod", window_start = a."windowStart",
      window_count = a."windowCount", acknowledged_period = a."acknowledgedPeriod"
    from jsonb_to_recordset($1) as a ("userId" text, "planId" text, period integer, anchor timestamptz,
      "periodStart" timestamptz, "periodEnd" timestamptz, monthly bigint, granted bigint, used bigint,
      "monthCredits" bigint, "warnedPeriod" integer, "windowStart" timestamptz, "windowCount" bigint,
      "acknowledgedPeriod" integer)
    where user_id = a."userId"
  ), made as (
    insert into holds (generation_id, user_id, amount, unlimited, from_monthly, from_granted, period, state, charged,
      expires_at, settled_at)
    select "generationId", "userId", amount, unlimited, "fromMonthly", "fromGranted", period, state, charged,
      "expiresAt", "settledAt"
    from jsonb_to_recordset($2) as h ("generationId" text, "userId" text, amount bigint, unlimited boolean,
      "fromMonthly" bigint, "fromGranted" bigint, period integer, state text, charged bigint,
      "expiresAt" timestamptz, "settledAt" timestamptz)
  ), ended as (
    update holds set state = h.state, charged = h.charged, settled_at = h."settledAt"
    from jsonb_to_recordset($3) as h ("generationId" text, state text, charged bigint, "settledAt" timestamptz)
    where generation_id = h."generationId"
  ), learned as (
    insert into generations as g (generation_id, user_id, at, model, source, key_id, outcome, charged, balance_after, input_tokens,
      output_tokens, estimated, response_ms, first_token_ms, answer_id, ended_at)
    select "generationId", "userId", at, model, source, "keyId", outcome, charged, "balanceAfter", "inputTokens", "outputTokens",
      estimated, "responseMs", "firstTokenMs", "answerId", case when "end" is not null then clock_timestamp() end
    from jsonb_to_recordset($5) as n ("generationId" text, "userId" text, at timestamptz, model text, source text, "keyId" text,
      "end" jsonb) left join lateral jsonb_to_record("end") as e (outcome text, charged bigint, "balanceAfter" bigint,
      "inputTokens" bigint, "outputTokens" bigint, estimated boolean, "responseMs" bigint, "firstTokenMs" bigint,
      "answerId" text) on true
    order by "generationId"
    on conflict (generation_id) do update set model = excluded.model, source = excluded.source, key_id = excluded.key_id,
      outcome = excluded.outcome, charged = excluded.charged, balance_after = excluded.balance_after,
      input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens, estimated = excluded.estimated,
      response_ms = excluded.response_ms, first_token_ms = excluded.first_token_ms, answer_id = excluded.answer_id, ended_at = excluded.ended_at
    where g.user_id = excluded.user_id and g.outcome is null and excluded.outcome is not null
  )
  insert into ledger (user_id, kind, amount, delta, balance_after, period, generation_id, actor_id)
  select "userId", kind, amount, delta, "balanceAfter", period, "generationId", "actorId"
  from rows from (jsonb_to_recordset($4) as ("userId" text, kind text, amount bigint, delta bigint,
    "balanceAfter" bigint, period integer, "generationId" text, "actorId" text)) with ordinality
  order by ordinality`

/** The statements that write the outcome of acts; none if nothing changed. */
export function writeBooks({ eventIds, events, ...books }: Written): Statement[] {
  const rows = [books.accounts, books.newHolds, books.changedHolds, books.entries, books.generations]
  const values = rows.map((each) => JSON.stringify(each))
  return [
    ...(rows.some((each) => each.length > 0) ? [{ name: 'write-books', text: write, values }] : []),
    ...(eventIds.length > 0 ? [inboxStatement(inboxGroup, eventIds)] : []),
    ...(events.length > 0 ? [outboxStatement(events)] : []),
  ]
}
