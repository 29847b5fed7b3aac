import { describe, expect, it } from 'vitest'
import { createBodyMemory } from './body-memory.ts'

const [here, there] = ['4:1.1.1.1', '4:2.2.2.2']
const given = () => createBodyMemory({ all: 100, network: 60 })
const isCut = (bodies: readonly { readonly signal: AbortSignal }[]): boolean[] =>
  bodies.map(({ signal }) => signal.aborted)

describe('the memory for request bodies', () => {
  it('counts received bytes only, however many bodies begin', () => {
    const memory = given()
    const bodies = Array.from({ length: 50 }, () => memory.hold(here))
    for (const body of bodies) body.add(1)
    expect(isCut(bodies)).not.toContain(true)
  })

  it('of a full network is freed by evicting its longest-running body', () => {
    const memory = given()
    const [other, first, second] = [memory.hold(there), memory.hold(here), memory.hold(here)]
    other.add(30)
    first.add(40)
    second.add(30)
    expect(isCut([other, first, second])).toEqual([false, true, false])
    expect(first.signal.reason).toMatchObject({ code: 'unavailable' })
  })

  it('that is full in total is freed by evicting the longest-running body of all networks', () => {
    const memory = given()
    const [first, second, third] = [memory.hold(there), memory.hold(here), memory.hold(here)]
    first.add(50)
    second.add(20)
    third.add(31)
    expect(isCut([first, second, third])).toEqual([true, false, false])
  })

  it('is not reclaimed from a body that was received whole: the next one is refused until that is released', () => {
    const memory = given()
    const whole = memory.hold(here)
    whole.add(60)
    whole.arrived()
    const refused = memory.hold(here)
    refused.add(1)
    expect(isCut([whole, refused])).toEqual([false, true])
    whole.release()
    const next = memory.hold(here)
    next.add(60)
    expect(isCut([next])).toEqual([false])
  })

  it('counts no bytes of a body after it was evicted or released', () => {
    const memory = given()
    const [cut, left] = [memory.hold(here), memory.hold(here)]
    cut.add(61)
    cut.add(61)
    cut.release()
    left.release()
    left.add(61)
    const next = memory.hold(here)
    next.add(60)
    expect(isCut([cut, left, next])).toEqual([true, false, false])
  })
})
