import { expect, it } from 'vitest'
import { createImportJobs, type ImportProgress, type Work } from './import-jobs.ts'

/** A job that says what it is told to and ends when it is told to. */
function given() {
  const end = Promise.withResolvers<string>()
  let onProgress: (progress: ImportProgress) => void = () => undefined
  let begun = 0
  const work: Work<string> = (report, signal) => {
    begun += 1
    onProgress = report
    signal.addEventListener('abort', () => end.reject(signal.reason))
    return end.promise
  }
  return { work, end, report: (done: number) => onProgress({ done, total: 3 }), begun: () => begun }
}

it('two calls with the same key join one import job, and a call with another key starts its own', async () => {
  const [jobs, one, other] = [createImportJobs<string>(), given(), given()]
  const both = [jobs.join('a', 'small', one.work), jobs.join('a', 'small', one.work)]
  const third = jobs.join('b', 'small', other.work)
  one.end.resolve('first')
  other.end.resolve('second')
  expect(await Promise.all([...both, third].map(({ result }) => result))).toEqual(['first', 'first', 'second'])
  expect([one.begun(), other.begun()]).toEqual([1, 1])
})

it('a key is free again once its import job has succeeded or failed', async () => {
  const [jobs, failing, next] = [createImportJobs<string>(), given(), given()]
  const first = jobs.join('a', 'small', failing.work)
  failing.end.reject(new Error('Away'))
  await expect(first.result).rejects.toThrow('Away')
  next.end.resolve('done')
  expect(await jobs.join('a', 'small', next.work).result).toBe('done')
})

it('a call that joins an import job late gets its progress, then every change, until the job ends', async () => {
  const [jobs, one] = [createImportJobs<string>(), given()]
  const job = jobs.join('a', 'small', one.work)
  one.report(0)
  one.report(1)
  const progress = job.progress()
  expect((await progress.next()).value).toEqual({ done: 1, total: 3 })
  const next = progress.next()
  one.report(2)
  expect((await next).value).toEqual({ done: 2, total: 3 })
  const last = progress.next()
  one.end.resolve('done')
  expect(await last).toEqual({ done: true, value: undefined })
})

it.each([
  ['small', 2],
  ['large', 1],
] as const)('of import jobs of %s files %s run at once, and the next waits for a slot', async (size, atOnce) => {
  const jobs = createImportJobs<string>()
  const [one, two, three] = [given(), given(), given()]
  const all = [one, two, three].map(({ work }, at) => jobs.join(`${at}`, size, work))
  const begun = () => [one, two, three].map((each) => each.begun())
  expect(begun()).toEqual([1, 1, 1].fill(0, atOnce))
  for (const { end } of [one, two, three]) end.resolve('done')
  await Promise.all(all.map(({ result }) => result))
  expect(begun()).toEqual([1, 1, 1])
})

it('stopping ends the running import job and starts no other', async () => {
  const [jobs, one] = [createImportJobs<string>(), given()]
  const job = jobs.join('a', 'small', one.work)
  await jobs.stop()
  await expect(job.result).rejects.toThrow()
  const late = given()
  await expect(jobs.join('b', 'small', late.work).result).rejects.toThrow()
  expect(late.begun()).toBe(0)
})
