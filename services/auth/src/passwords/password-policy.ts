import { readFileSync } from 'node:fs'
import { validationFailed } from '@parley/kit'
import type { Account } from '../store/account.ts'

type PasswordOwner = Pick<Account, 'username' | 'email'>
export type PasswordPolicy = ReturnType<typeof createPasswordPolicy>

const listUrl = new URL('../../data/common-passwords.txt', import.meta.url)
/** A word shorter than this is in too many good passwords. */
const shortestWord = 3
/** The rest of a password without its owner's names must be at least this long. */
const shortestRest = 5

/**
 * Refuses passwords that are among the first to be guessed: common ones, from a list that is read when it is first needed, and such as are made of the
 * owner's names.
 */
export function createPasswordPolicy() {
  let common: ReadonlySet<string> | undefined
  return {
    /** @param path the field that the refusal names @throws AppError validation_failed */
    accept(password: string, owner: PasswordOwner, path: string): void {
      common ??= new Set(readFileSync(listUrl, 'utf8').trimEnd().split('\n'))
      const plain = simplest(password)
      if (common.has(plain)) throw refused(path, 'This password is too common. Please choose another one.')
      if (restOf(plain, wordsOf(owner)).length < shortestRest) {
        throw refused(path, 'Please choose a password that isn’t made of your name or email address.')
      }
    },
  }
}

const refused = (path: string, message: string) => validationFailed([{ path, message }])

/** The part of a password that stays the same when people vary it: its letters, regardless of case, normalization and surrounding spaces. */
const simplest = (password: string): string => password.normalize('NFKC').trim().toLowerCase()

/** Words that are guessed first: the product's name and the owner's, longest first. */
function wordsOf({ username, email }: PasswordOwner): string[] {
  const address = simplest(email)
  const at = address.lastIndexOf('@')
  const names = [address, address.slice(0, at), address.slice(at + 1), simplest(username), 'parley']
  return names.filter((name) => name.length >= shortestWord).sort((a, b) => b.length - a.length)
}

/** The password without these words and the separators between them. */
const restOf = (plain: string, words: readonly string[]): string =>
  words.reduce((rest, word) => rest.split(word).join(' '), plain).replace(/[\s._-]+/g, '')
