import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createLimiter } from '../async/limiter.ts'

const derive = promisify(argon2)

/** The cost of one hash: KiB of memory, and passes over them. */
export interface PasswordCost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** OWASP's minimum for argon2id: 19 MiB, two passes. */
export const defaultPasswordCost: PasswordCost = { memory: 19 * 1024, passes: 2, parallelism: 1 }
const hashBytes = 32
/** More than this many bytes are refused before any work is done. */
const longestPassword = 1024
/** Hashes at once: the others wait, so that signing in never takes all of the thread pool. */
const atOnce = 2
const longestQueue = 500

export type PasswordHasher = ReturnType<typeof createPasswordHasher>

/** Hashes and checks passwords, a few at a time, with a queue of its own. */
export function createPasswordHasher(cost = defaultPasswordCost) {
  const limiter = createLimiter(atOnce, longestQueue)
  return {
    /** The encoded hash, in the PHC string format. @throws AppError unavailable when too many wait */
    hash: (password: string) => limiter.run(() => encode(password, cost)),
    /**
     * Whether a password matches an encoded hash. Without a hash the same work is done and the result is false.
     * `before` runs when it is this check's turn, `after` with its outcome while it still is.
     * @throws AppError unavailable when too many wait, and errors of `before` and `after`
     */
    check: (
      encoded: string | undefined,
      password: string,
      steps?: { before(): Promise<void>; after(right: boolean): Promise<void> },
    ) =>
      limiter.run(async () => {
        await steps?.before()
        const right = await matches(encoded, password, cost)
        await steps?.after(right)
        return right
      }),
  }
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

async function encode(password: string, cost: PasswordCost): Promise<string> {
  const nonce = randomBytes(16)
  const hash = await derive('argon2id', parameters(password, nonce, cost))
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(nonce)}$${unpadded(hash)}`
}

const parameters = (message: string, nonce: Buffer, costs: PasswordCost): Argon2Parameters => ({
  message,
  nonce,
  tagLength: hashBytes,
  ...costs,
})

const encodedForm = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

async function matches(encoded: string | undefined, password: string, cost: PasswordCost): Promise<boolean> {
  if (Buffer.byteLength(password) > longestPassword) return false
  const [, memory, passes, parallelism, nonce, hash] = encodedForm.exec(encoded ?? '') ?? []
  if (nonce === undefined || hash === undefined) {
    await encode(password, cost)
    return false
  }
  const costs = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const derived = await derive('argon2id', parameters(password, Buffer.from(nonce, 'base64'), costs))
  return timingSafeEqual(derived, Buffer.from(hash, 'base64'))
}
