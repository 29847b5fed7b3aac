import type { EventBus } from '@parley/bus'
import { type CacheEngine, createAnswerWaiters } from '@parley/cache'
import {
  createCheapestModel,
  createKeyedLimiter,
  createLagWatch,
  createLimiter,
  createLiveSettings,
  type ServiceClient,
  type Tools,
} from '@parley/kit'
import { createEgress, createEndpointGuard, type PageFetcher, resolveBySystem } from '@parley/kit/egress'
import { createChatChanges } from './changes.ts'
import type { ChatServiceConfig } from './config.ts'
import { createFilePool } from './files/file-pool.ts'
import { createFiles } from './files/files.ts'
import { createPromptMemory, type PromptBounds, promptBounds } from './files/prompt-memory.ts'
import { createFollowUps } from './follow-ups/follow-ups.ts'
import { createCharges } from './generation/charges.ts'
import { createPresence } from './generation/presence.ts'
import { createRunningGenerations } from './generation/running-generations.ts'
import { createStopper } from './generation/stopper.ts'
import { createSweeper } from './generation/sweeper.ts'
import { type ChatTiming, defaultTiming } from './generation/timing.ts'
import { createGenerationMetrics } from './generation-metrics.ts'
import { createGuestAllowance } from './guests/guest-allowance.ts'
import { createGuestSessions } from './guests/guest-session.ts'
import { createImageMaker } from './images/image-maker.ts'
import { createRecall } from './memory/recall.ts'
import { createModelDirectory } from './model-directory.ts'
import { createPrompts } from './sending/prompts.ts'
import { createSender } from './sending/sender.ts'
import { createQuota } from './storage/quota.ts'
import type { GenerationStore } from './store/generation-store.ts'
import type { ChatStores } from './store/index.ts'
import type { MessageStore } from './store/message-store.ts'
import { createTitler } from './titles/titler.ts'
import { createInstalledTools } from './tools/installed-tools.ts'
import { createImportJobs } from './transfer/import-jobs.ts'
import { shareImports } from './transfer/shared-imports.ts'

export interface ChatServiceDeps extends Tools {
  readonly config: ChatServiceConfig
  readonly stores: ChatStores
  readonly bus: EventBus
  readonly cache: Pick<CacheEngine, 'cache' | 'signal' | 'streamLog' | 'health'>
  readonly client: ServiceClient
  /** For addresses that users provide. */
  readonly pages: PageFetcher
  /** No other process uses the stores: answers that are generating at the start belong to a dead one, and need not wait for their leases. */
  readonly isOnlyReplica?: boolean
  /** Instead of the product's own times. */
  readonly timing?: Partial<ChatTiming>
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
  return { ...common, ...accounts, ...tools, ...answers, lag: createLagWatch(deps) }
}

type Common = ReturnType<typeof createCommon>

/** What most parts need. */
function createCommon({ stores, cache, client, log, now, newId, timing: ownTiming }: ChatServiceDeps) {
  const timing: ChatTiming = { ...defaultTiming, ...ownTiming }
  return {
    ...{ client, log, now, newId, timing },
    stores: { ...stores, messages: fewOutlinesAtOnce(stores.messages) },
    settings: createLiveSettings(client, now),
    models: createModelDirectory(client, now),
    changes: createChatChanges(cache.signal, log),
    waiters: createAnswerWaiters(cache.signal, log),
    /** This replica's. */
    lease: { owner: newId(), ms: timing.leaseMs },
  }
}

/** Outlines that are read at once, of all chats and of one; those beyond the waiting ones are refused. That of 100,000 messages takes 75 MB. */
const outlinesAtOnce = { ofAll: [2, 1_000], ofChat: [1, 20] } as const

function fewOutlinesAtOnce(store: MessageStore): MessageStore {
  const [ofAll, ofChat] = [createLimiter(...outlinesAtOnce.ofAll), createKeyedLimiter(...outlinesAtOnce.ofChat)]
  return { ...store, outline: (chatId) => ofChat.run(chatId, () => ofAll.run(() => store.outline(chatId))) }
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
    files: createFiles({ ...common, files: stores.files, pool, pages, quota }),
    imports: createImportJobs(shareImports({ streamLog: cache.streamLog, timing, log })),
  }
}

/** Time-out for connecting to a tool's service, in milliseconds. */
const connectMs = 5_000

/** The tools of answers, and their way out. */
function createTools({ config, stores, cache, pages, log, now }: ChatServiceDeps) {
  const egress = createEgress(createEndpointGuard([], resolveBySystem), connectMs)
  const thirdParties = { config, pages, fetch: egress.trusted, cache: cache.cache }
  return { egress, installed: createInstalledTools({ ...thirdParties, watchlists: stores.watchlists, log, now }) }
}

/** How many sends are stored and paid for at once, and answers ended at once. With more, all would wait for connections until they time out. */
const sendsAtOnce = 8
const endsAtOnce = 8
/** Sends beyond this are refused at once. */
const sendsWaiting = 5_000

type Before = Common & ReturnType<typeof createAccounts> & ReturnType<typeof createTools>

/** The making of answers, from the send to the end, also that of answers which a dead replica left. */
function createAnswers(deps: ChatServiceDeps, before: Before) {
  const { stores, timing, lease, installed } = before
  const { cache, signal, streamLog } = deps.cache
  const charges = createCharges(before)
  const presence = createPresence(cache)
  const limiter = createLimiter(sendsAtOnce, sendsWaiting)
  const forTitles = createCheapestModel(deps, { prefix: 'chat_title', purpose: 'to title chats' })
  const titler = createTitler({ ...before, model: forTitles, chats: stores.chats })
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
  const prompts = createPrompts({ ...before, messages: stores.messages, toolbox: installed.toolbox, recall })
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
