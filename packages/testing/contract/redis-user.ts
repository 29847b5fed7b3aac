import { newId } from '@parley/kit'
import { sendCommand } from './cache-redis.ts'

/** A user of a Redis. */
export interface RedisUser {
  /** The server's URL with this user's credentials. */
  readonly url: string
  /** Sends one command as this user. @throws with the engine's error */
  tell(command: string): Promise<string>
  /** Removes the user. */
  close(): Promise<void>
}

/** Creates a user with these ACL rules. @param url the server, with the credentials of an admin */
export async function openRedisUser(url: string, name: string, rights: string): Promise<RedisUser> {
  const password = newId()
  await sendCommand(url, `ACL SETUSER ${name} on >${password} resetkeys resetchannels -@all ${rights}`)
  const own = new URL(url)
  own.username = name
  own.password = password
  return {
    url: own.href,
    tell: (command) => sendCommand(own.href, command),
    close: async () => void (await sendCommand(url, `ACL DELUSER ${name}`)),
  }
}
