import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { chartFolder, helm, runHelm } from '../src/chart.ts'

describe.skipIf(helm === undefined)('the notes of the chart (needs helm)', () => {
  let copy: string
  beforeEach(() => {
    // `helm template` leaves notes out: here a template of a copied chart contains them.
    copy = mkdtempSync(join(tmpdir(), 'parley-notes-'))
    cpSync(chartFolder, copy, { recursive: true })
    const notes = readFileSync(join(copy, 'templates/NOTES.txt'), 'utf8')
    const template = `{{- define "notes" }}${notes}{{ end -}}\ntext: {{ include "notes" . | toJson }}\n`
    writeFileSync(join(copy, 'templates/notes.yaml'), template)
  })
  afterEach(() => rmSync(copy, { recursive: true }))

  function notes(...set: string[]): string {
    const fixed = ['--kube-version', '1.34.0', '--namespace', 'chat', '--show-only', 'templates/notes.yaml']
    const values = ['--values', join(copy, 'values-prod.yaml'), ...set.flatMap((one) => ['--set-json', one])]
    const { stdout, stderr } = runHelm('template', 'parley', copy, ...fixed, ...values)
    return (parse(stdout) as { text: string } | null)?.text ?? stderr
  }

  it.each([
    ['the chart', [], "secret parley-auth -o jsonpath='{.data.ADMIN_PASSWORD}'"],
    ['secrets of one’s own', ['secrets.existing="mine-"'], "secret mine-auth -o jsonpath='{.data.ADMIN_PASSWORD}'"],
    [
      'a Secret of one’s own for this variable',
      ['services.auth.secretEnv.ADMIN_PASSWORD={"name":"first-admin","key":"password.txt"}'],
      "secret first-admin -o jsonpath='{.data.password\\.txt}'",
    ],
  ])('show where the first admin’s password is if it is given by %s', (_what, set, command) => {
    const shown = notes(...set)
      .split('\n')
      .filter((line) => line.includes('get secret'))
    expect(shown).toEqual([`  kubectl -n chat get ${command} | base64 -d`])
  })
})
