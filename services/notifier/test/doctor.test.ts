import { freePort } from '@parley/kit'
import { SMTPServer } from 'smtp-server'
import { expect, it } from 'vitest'
import { examineMail } from '../src/examine.ts'
import { startSmtp } from './fake-smtp.ts'

const examine = (SMTP_URL: string) => examineMail({ SMTP_URL, MAIL_FROM: 'Parley <parley@parley.test>' })

it('the doctor of notifier finds a mail server that answers', async () => {
  const smtp = await startSmtp()
  expect(await examine(`smtp://127.0.0.1:${smtp.port}`)).toMatchObject([{ what: 'mail', state: 'fine' }])
  await smtp.close()
})

it('the doctor of notifier reports a mail server that is away, with the variable to check', async () => {
  const [finding] = await examine(`smtp://127.0.0.1:${await freePort()}`)
  expect(finding).toMatchObject({ what: 'mail', state: 'wrong', found: expect.stringContaining('ECONNREFUSED') })
  expect(finding?.advice).toContain('in SMTP_URL')
})

it('the doctor of notifier reports a mail server that refuses the password, without the password', async () => {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(new Error('Invalid login')),
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const [finding] = await examine(`smtp://parley:a-wrong-password@127.0.0.1:${port}`)
  expect(finding).toMatchObject({ state: 'wrong', found: expect.stringContaining('Invalid login') })
  expect(JSON.stringify(finding)).not.toContain('a-wrong-password')
  await new Promise<void>((resolve) => server.close(() => resolve()))
})
