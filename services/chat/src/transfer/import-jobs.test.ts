import { expect, it } from 'vitest'
import { createJobs, type Progress, type Work } from './import-jobs.ts'

/** A job that says what it is told to and ends when it is told to. */
function given() {
  const end = Promise.withResolvers<string>()
  let tell: (progress: Progress) => void = () => undefined
  let begun = 0
  const work: Work<string> = (told, signal) => {
    begun += 1
    tell = told
    signal.addEventListener('abort', () => end.reject(signal.reason))
    return end.promise
  }
  return { work, end, tell: (done: number) => tell({ done, total: 3 }), begun: () => begun }
}

it('two calls with the same key take part in one job, and one with another key begins its own', async () => {
  const [jobs, one, other] = [createJobs<string>(), given(), given()]
  const both = [jobs.join('a', one.work), jobs.join('a', one.work)]
  const third = jobs.join('b', other.work)
  one.end.resolve('first')
  other.end.resolve('second')
  expect(await Promise.all([...both, third].map(({ result }) => result))).toEqual(['first', 'first', 'second'])
  expect([one.begun(), other.begun()]).toEqual([1, 1])
})

it('a key is free again once its job has ended, well or not', async () => {
  const [jobs, failing, next] = [createJobs<string>(), given(), given()]
  const first = jobs.join('a', failing.work)
  failing.end.reject(new Error('Away'))
  await expect(first.result).rejects.toThrow('Away')
  next.end.resolve('done')
  expect(await jobs.join('a', next.work).result).toBe('done')
})

it('who takes part late hears how far the job is, then what changes, until it ends', async () => {
  const [jobs, one] = [createJobs<string>(), given()]
  const job = jobs.join('a', one.work)
  one.tell(0)
  one.tell(1)
  const progress = job.progress()
  expect((await progress.next()).value).toEqual({ done: 1, total: 3 })
  const next = progress.next()
  one.tell(2)
  expect((await next).value).toEqual({ done: 2, total: 3 })
  const last = progress.next()
  one.end.resolve('done')
  expect(await last).toEqual({ done: true, value: undefined })
})

it('two jobs run at once, and a third waits for a place', async () => {
  const jobs = createJobs<string>()
  const [one, two, three] = [given(), given(), given()]
  const all = [one, two, three].map(({ work }, at) => jobs.join(`${at}`, work))
  expect([one.begun(), two.begun(), three.begun()]).toEqual([1, 1, 0])
  for (const { end } of [one, two, three]) end.resolve('done')
  await Promise.all(all.map(({ result }) => result))
  expect(three.begun()).toBe(1)
})

it('stopping ends what runs and begins nothing more', async () => {
  const [jobs, one] = [createJobs<string>(), given()]
  const job = jobs.join('a', one.work)
  await jobs.stop()
  await expect(job.result).rejects.toThrow()
  const late = given()
  await expect(jobs.join('b', late.work).result).rejects.toThrow()
  expect(late.begun()).toBe(0)
})
