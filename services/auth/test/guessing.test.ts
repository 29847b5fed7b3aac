import { authRoutes } from '@parley/contracts'
import { newId } from '@parley/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chosen, fetchCode, givenUser, goodPassword, openBrowser, otherCode } from './browser.ts'
import { startAuthAlone } from './running-auth.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
beforeAll(async () => {
  auth = await startAuthAlone()
})
afterAll(() => auth.stop())

const guess = async (identifier: string, network: string, password = 'a wrong password'): Promise<number> =>
  (await openBrowser(auth, network).call(authRoutes.login, { identifier, password })).status
/** So many calls, a few at a time. */
async function many(count: number, call: (nth: number) => Promise<number>): Promise<number[]> {
  const statuses: number[] = []
  for (let done = 0; done < count; done += 50) {
    const batch = Array.from({ length: Math.min(50, count - done) }, (_, n) => call(done + n))
    statuses.push(...(await Promise.all(batch)))
  }
  return statuses
}
const judged = (statuses: readonly number[]): number => statuses.filter((status) => status === 401).length
/** A metric as operators see it. */
async function metric(name: string, label: string): Promise<number> {
  const text = await (await fetch(`${auth.url}/metrics`)).text()
  const line = text.split('\n').find((each) => each.startsWith(name) && each.includes(label))
  return Number(line?.split(' ').at(-1) ?? 0)
}

describe('guessing', () => {
  it('of 1000 passwords guessed for one account from 500 addresses 20 are checked, the owner signs in from a trusted device, and metrics count the attack', async () => {
    const { username, browser } = await givenUser(auth)
    const exhausted = () => metric('auth_spent_budgets_total', 'budget="account"')
    const refused = () => metric('auth_refused_guesses_total', 'of="password"')
    const before = { exhausted: await exhausted(), refused: await refused() }
    const networks = Array.from({ length: 500 }, () => `4:${newId()}`)
    const statuses = await many(1_000, (nth) => guess(username, networks[nth % 500] ?? '', `wrong password ${nth}`))
    expect([judged(statuses), statuses.filter((status) => status === 429).length]).toEqual([20, 980])
    expect((await browser.call(authRoutes.login, { identifier: username, password: goodPassword })).status).toBe(200)
    expect([await exhausted(), await refused()]).toEqual([before.exhausted + 1, before.refused + 980])
  })

  it('of one password guessed for 1000 accounts from one address 200 are checked, and accounts cannot be distinguished from unknown names', async () => {
    const network = `4:${newId()}`
    const exhausted = () => metric('auth_spent_budgets_total', 'budget="network"')
    const before = await exhausted()
    const people = [await givenUser(auth), await givenUser(auth)]
    const statuses = await many(1_000, (nth) => guess(`somebody-${nth}`, network))
    expect(judged(statuses)).toBe(200)
    for (const { username } of people) expect(await guess(username, network)).toBe(429)
    expect(await guess(people[0]?.username ?? '', `4:${newId()}`, goodPassword)).toBe(200)
    expect(await exhausted()).toBe(before + 1)
  })

  it('of guesses from a new /64 of one /48 each time 1600 are checked, and those of another /48 are counted separately', async () => {
    await auth.sql("delete from sign_in_tries where key like 'network:6/%'")
    const from = (nth: number) => guess(`inhabitant-${nth}`, `6:2001:db8:7:${nth.toString(16)}`)
    expect(await from(0)).toBe(401)
    await auth.sql(`update sign_in_tries set used = 1598 where key = 'network:6/48:2001:db8:7'`)
    expect([await from(1), await from(2), await from(3), await from(4)]).toEqual([401, 401, 429, 429])
    expect(await guess('inhabitant-0', '6:2001:db8:8:0')).toBe(401)
  })

  it('guesses for many accounts from many addresses are counted in the metrics', async () => {
    const before = await metric('auth_wrong_guesses_total', 'of="password"')
    expect(judged(await many(40, (nth) => guess(`anybody-${nth}`, `4:${newId()}`)))).toBe(40)
    expect(await metric('auth_wrong_guesses_total', 'of="password"')).toBe(before + 40)
  })

  it('the cookies of former sign-ins give no more attempts after the password was changed', async () => {
    const { username, browser } = await givenUser(auth)
    const devices = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const device = openBrowser(auth)
        await device.call(authRoutes.login, { identifier: username, password: goodPassword })
        return device
      }),
    )
    const newPassword = 'purple tractors hum softly'
    await browser.call(authRoutes.changePassword, { currentPassword: goodPassword, newPassword })
    const statuses = await many(90, async (nth) => {
      const device = devices[nth % 3] as (typeof devices)[0]
      return (await device.call(authRoutes.login, { identifier: username, password: goodPassword })).status
    })
    expect(judged(statuses)).toBe(20)
  })

  it('guesses of codes are counted in the metrics, including refused ones', async () => {
    const browser = openBrowser(auth)
    const { username, ...choice } = chosen()
    await browser.call(authRoutes.register, { username, ...choice })
    const wrong = otherCode(await fetchCode(auth, username))
    const counts = async () => [
      await metric('auth_wrong_guesses_total', 'of="code"'),
      await metric('auth_refused_guesses_total', 'of="code"'),
    ]
    const [before = 0, refusedBefore = 0] = await counts()
    const statuses = await many(30, async () => {
      return (await browser.copy().call(authRoutes.verifyEmail, { username, code: wrong })).status
    })
    expect(statuses.filter((status) => status === 400)).toHaveLength(20)
    expect(await counts()).toEqual([before + 20, refusedBefore + 10])
  })
})
