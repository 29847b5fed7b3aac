import type { EngineName, OpenEngine } from '../native/native-engine.ts'
import { retry } from '../native/ports.ts'
import { images } from './images.ts'

const startTimeoutMs = 120_000

/**
 * Starts the official image of an engine and waits until it is ready. Testcontainers pulls it if missing, publishes its port on all addresses of the
 * machine, and removes the container if this process ends without doing so.
 * @throws Error with the reason why it is unavailable
 */
export async function startInDocker(name: EngineName): Promise<OpenEngine> {
  const { image, port, environment = {}, command = [], readyMessage, healthCheck, urlAt, ready } = await images[name]()
  // Imported lazily, because it is large and most test machines have no Docker.
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers')
  const starting = new GenericContainer(image)
    .withEnvironment({ ...environment })
    .withCommand([...command])
    .withExposedPorts(port)
    .withStartupTimeout(startTimeoutMs)
  if (readyMessage !== undefined) starting.withWaitStrategy(Wait.forLogMessage(readyMessage))
  if (healthCheck !== undefined)
    starting.withHealthCheck({ test: ['CMD', ...healthCheck], interval: 250, timeout: 5_000, retries: 480 })
  const container = await starting.start()
  const url = urlAt(container.getHost(), container.getFirstMappedPort())
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= container.stop().then(() => undefined)
    return closing
  }
  await retry(() => ready?.(url), startTimeoutMs).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const { container: containers } = await getContainerRuntimeClient()
  return {
    url,
    onLost(handler) {
      const tell = (): void => {
        if (closing === undefined) handler(`the container of ${name} ended`)
      }
      containers.getById(container.getId()).wait().then(tell, tell)
    },
    close,
  }
}
