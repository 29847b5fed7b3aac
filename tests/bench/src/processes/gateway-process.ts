import { BlockList } from 'node:net'
import { openMemoryHub } from '@parley/cache'
import { createGatewayService } from '@parley/gateway/service'
import {
  createIdentities,
  createLiveSettings,
  createLogger,
  createMetrics,
  createServiceClient,
  startService,
  systemClock,
} from '@parley/kit'
import { answerQuestions } from '../process-channel.ts'

/** The complete gateway alone; the stub stands in for auth, billing and the upstream service. */
async function start(stubUrl: string): Promise<string> {
  const log = createLogger('gateway', 'error')
  const identity = createIdentities()('gateway')
  const { counter, signal } = openMemoryHub({ log }).open('gateway')
  const locate = (): string => stubUrl
  const client = createServiceClient({ self: 'gateway', locate, identity })
  const service = createGatewayService({
    publicUrl: 'http://127.0.0.1',
    extraOrigins: [],
    trustedProxies: new BlockList(),
    webDir: undefined,
    counter,
    signal,
    settings: createLiveSettings(client, systemClock),
    client,
    locate,
    identity,
    metrics: createMetrics('gateway', true),
    log,
    now: systemClock,
  })
  return (await startService(service, { host: '127.0.0.1', port: 0 })).url
}

answerQuestions({ listen: start })
