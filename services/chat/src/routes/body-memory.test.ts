import { describe, expect, it } from 'vitest'
import { createBodyMemory } from './body-memory.ts'

const [here, there] = ['4:1.1.1.1', '4:2.2.2.2']
const given = () => createBodyMemory({ all: 100, network: 60 })
const isCut = (bodies: readonly { readonly signal: AbortSignal }[]): boolean[] =>
  bodies.map(({ signal }) => signal.aborted)

describe('the memory of bodies', () => {
  it('is taken by what has come of a body, however many bodies begin', () => {
    const memory = given()
    const bodies = Array.from({ length: 50 }, () => memory.hold(here))
    for (const body of bodies) body.add(1)
    expect(isCut(bodies)).not.toContain(true)
  })

  it('of one network that is full is made free by the body that has been coming for the longest there', () => {
    const memory = given()
    const [other, first, second] = [memory.hold(there), memory.hold(here), memory.hold(here)]
    other.add(30)
    first.add(40)
    second.add(30)
    expect(isCut([other, first, second])).toEqual([false, true, false])
    expect(first.signal.reason).toMatchObject({ code: 'unavailable' })
  })

  it('of all that is full is made free by the body that has been coming for the longest anywhere', () => {
    const memory = given()
    const [first, second, third] = [memory.hold(there), memory.hold(here), memory.hold(here)]
    first.add(50)
    second.add(20)
    third.add(31)
    expect(isCut([first, second, third])).toEqual([true, false, false])
  })

  it('is not taken back from a body that has come whole: the next one is refused until that is released', () => {
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

  it('counts nothing that comes of a body after it was given up or released', () => {
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
