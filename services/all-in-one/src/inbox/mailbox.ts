import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const mailSchema = z.object({
  id: z.string(),
  to: z.string(),
  from: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  at: z.string(),
})
/** A received mail. `to` and `from` are bare addresses, `at` is ISO 8601. */
export type Mail = z.infer<typeof mailSchema>

const kept = 500

/** Mails as files in one folder, newest first. A mail is durable once `add` has resolved. */
export type Mailbox = Awaited<ReturnType<typeof openMailbox>>

/** Opens the mailbox in a folder, creating it if missing. */
export async function openMailbox(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  let mails = await readMails(folder)
  return {
    async add(mail: Mail): Promise<void> {
      const file = join(folder, `${mail.id}.json`)
      await writeFile(`${file}.part`, JSON.stringify(mail), { mode: 0o600 })
      await rename(`${file}.part`, file)
      const all = [mail, ...mails]
      mails = all.slice(0, kept)
      await Promise.all(all.slice(kept).map((old) => rm(join(folder, `${old.id}.json`), { force: true })))
    },
    /** Up to 500 mails, optionally filtered by recipient. */
    list: async (to?: string): Promise<Mail[]> =>
      to === undefined ? mails : mails.filter((mail) => mail.to.toLowerCase() === to.toLowerCase()),
  }
}

async function readMails(folder: string): Promise<Mail[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'))
  const mails = await Promise.all(names.map(async (name) => parseMail(await readFile(join(folder, name), 'utf8'))))
  return mails
    .filter((mail) => mail !== undefined)
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, kept)
}

function parseMail(content: string): Mail | undefined {
  try {
    return mailSchema.safeParse(JSON.parse(content)).data
  } catch {
    // Ignore files that are not mails.
    return undefined
  }
}
