import { readFileSync } from 'node:fs'
import { validationFailed } from '@parley/kit'

/** Refuses passwords that are among the first to be guessed. */
export interface PasswordPolicy {
  /** @throws AppError validation_failed */
  accept(password: string): void
}

const listUrl = new URL('../data/common-passwords.txt', import.meta.url)

/** A policy over the list of common passwords, which is read when it is first needed. */
export function createPasswordPolicy(): PasswordPolicy {
  let common: ReadonlySet<string> | undefined
  return {
    accept(password) {
      common ??= new Set(readFileSync(listUrl, 'utf8').trimEnd().split('\n'))
      if (!common.has(password.toLowerCase())) return
      throw validationFailed([{ path: 'password', message: 'This password is too common. Please choose another one.' }])
    },
  }
}
