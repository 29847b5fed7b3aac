import { createBusEndpoint, type EventBus } from '@parley/bus'
import type { CacheEngine } from '@parley/cache'
import { createCheapestModel, createLimiter, type Tools } from '@parley/kit'
import { createEgress, createEndpointGuard, type PageFetcher, resolveBySystem } from '@parley/kit/egress'
import { type Common, type CommonDeps, createCommon } from './common.ts'
import type { ChatServiceConfig } from './config.ts'
import { createFilePool } from './files/file-pool.ts'
import { createFiles } from './files/files.ts'
import { createPromptMemory, type PromptBounds, promptBounds } from './files/prompt-memory.ts'
import { createQuotes } from './finance/quotes.ts'
import { createFollowUps } from './follow-ups/follow-ups.ts'
import { createCharges } from './generation/charges.ts'
import { createPresence } from './generation/presence.ts'
import { createRunningGenerations } from './generation/running-generations.ts'
import { createStopper } from './generation/stopper.ts'
import { createSweeper } from './generation/sweeper.ts'
import { createGenerationMetrics } from './generation-metrics.ts'
import { createGuestAllowance } from './guests/guest-allowance.ts'
import { createGuestSessions } from './guests/guest-session.ts'
import { createImageMaker } from './images/image-maker.ts'
import { createRecall } from './memory/recall.ts'
import { createPrompts } from './sending/prompts.ts'
import { createSender } from './sending/sender.ts'
import { createQuota } from './storage/quota.ts'
import type { GenerationStore } from './store/generation-store.ts'
import { createTitler } from './titles/titler.ts'
import { createExa } from './tools/exa.ts'
import { createToolbox } from './tools/toolbox.ts'
import { createImportJobs } from './transfer/import-jobs.ts'
import { shareImports } from './transfer/shared-imports.ts'

export interface ChatServiceDeps extends Tools, CommonDeps {
  readonly config: ChatServiceConfig
  readonly bus: EventBus
  readonly cache: Pick<CacheEngine, 'cache' | 'signal' | 'streamLog' | 'health'>
  /** For addresses that users provide. */
  readonly pages: PageFetcher
  /** No other process uses the stores: answers that are generating at the start belong to a dead one, and need not wait for their leases. */
  readonly isOnlyReplica?: boolean
  /** Instead of the product's own bounds. */
  readonly promptBounds?: Partial<PromptBounds>
}

/** The parts of chat that its routes and its background work share. */
export type Parts = ReturnType<typeof createParts>

/** Creates the parts, those first that others depend on; opens nothing. */
export function createParts(deps: ChatServiceDeps) {
  const common = createCommon(deps)
  const accounts = createAccounts(deps, common)
  const tools = createTools(deps)
  const answers = createAnswers(deps, { ...common, ...accounts, ...tools })
  const endpoint = createBusEndpoint({ ...deps, outbox: deps.stores.outbox })
  return { ...common, ...accounts, ...tools, ...answers, endpoint }
}

/** What senders have and may use: guests their session and allowance, users their storage and files. */
function createAccounts({ config, cache, pages }: ChatServiceDeps, common: Common) {
  const { stores, log, newId, timing } = common
  const quota = createQuota({ ...common, usage: stores.usage })
  const pool = createFilePool()
  return {
    sessions: createGuestSessions(config.CHAT_SECRETS, newId),
    allowance: createGuestAllowance({ ...common, guests: stores.guests }),
    quota,
    pool,
    files: createFiles({ ...common, pool, pages, quota }),
    imports: createImportJobs(shareImports({ streamLog: cache.streamLog, timing, log })),
  }
}

/** Time-out for connecting to a tool's service, in milliseconds. */
const connectMs = 5_000

/** The tools of answers, which of them this installation has, and their way out. They open nothing until they are used. */
function createTools({ config, stores: { watchlists }, cache: { cache }, pages, log, now }: ChatServiceDeps) {
  const egress = createEgress(createEndpointGuard([], resolveBySystem), connectMs)
  const fetch = egress.trusted
  const engine = config.search && createExa({ ...config.search, fetch })
  const quotes = createQuotes({ source: config.quotes && { ...config.quotes, fetch }, cache, now })
  const available = { webSearch: engine !== undefined, finance: config.quotes !== undefined }
  const toolbox = createToolbox({ engine, pages, quotes, hasQuotes: available.finance, watchlists, log })
  return { egress, quotes, toolbox, availableTools: available }
}

/** How many sends are stored and paid for at once, and answers ended at once. With more, all would wait for connections until they time out. */
const sendsAtOnce = 8
const endsAtOnce = 8
/** Sends beyond this are refused at once. */
const sendsWaiting = 5_000

type Before = Common & ReturnType<typeof createAccounts> & ReturnType<typeof createTools>

/** The making of answers, from the send to the end, also that of answers which a dead replica left. */
function createAnswers(deps: ChatServiceDeps, before: Before) {
  const { stores, timing, lease } = before
  const { cache, signal, streamLog } = deps.cache
  const charges = createCharges(before)
  const presence = createPresence(cache)
  const limiter = createLimiter(sendsAtOnce, sendsWaiting)
  const forTitles = createCheapestModel(deps, { prefix: 'chat_title', purpose: 'to title chats' })
  const titler = createTitler({ ...before, model: forTitles })
  const generating = {
    ...before,
    ...{ charges, presence, limiter, titler, streamLog },
    promptMemory: createPromptMemory({ ...promptBounds, ...deps.promptBounds }),
    generations: fewEndsAtOnce(stores.generations),
    metrics: createGenerationMetrics(deps.metrics),
  }
  const running = createRunningGenerations(generating)
  const recovering = { ...generating, abandoned: stores.abandoned, owner: lease.owner, isRunning: running.isRunning }
  const recall = createRecall({ ...before, memoryMs: timing.memoryMs })
  const prompts = createPrompts({ ...before, recall })
  const reader = { ...before, generations: stores.generations, cache: deps.cache, presence }
  const forFollowUps = createCheapestModel(deps, { prefix: 'chat_follow_up', purpose: 'to suggest what to ask next' })
  return {
    running,
    reader,
    titler,
    sender: createSender({ ...before, limiter, running, prompts, recall, reader }),
    stopper: createStopper({ ...before, generations: stores.generations, sends: stores.sends, running, signal }),
    sweeper: createSweeper(recovering),
    images: createImageMaker({ ...before, charges }),
    followUps: createFollowUps({ ...before, model: forFollowUps, cache }),
  }
}

/** Hundreds of answers may end in one moment. */
function fewEndsAtOnce(store: GenerationStore): GenerationStore {
  const limiter = createLimiter(endsAtOnce, Number.POSITIVE_INFINITY)
  return {
    ...store,
    finish: (...end) => limiter.run(() => store.finish(...end)),
    noteSettled: (...settled) => limiter.run(() => store.noteSettled(...settled)),
  }
}
