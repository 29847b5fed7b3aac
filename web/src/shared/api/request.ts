import type { Route } from '@parley/contracts'
import type { z } from 'zod'
import { type CallInput, callJson, type Target } from './http.ts'

/** A call of the contract, with its types. */
export interface Endpoint<R> extends Target {
  /** Type-only; never set. */
  readonly route?: R
}

export type AnswerOf<R> = R extends Route<z.ZodType, z.ZodType, z.ZodType, infer A> ? z.output<A> : never
export type BodyOf<R> = R extends Route<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.input<B> : never

/** Declares a call of the contract. */
export const to = <R>(method: Target['method'], path: Target['path']): Endpoint<R> => ({ method, path })

/** Makes a call; body and response have the contract's types. Throws ApiError, or AbortError when `signal` aborts. */
export async function request<R>(
  endpoint: Endpoint<R>,
  input: Omit<CallInput, 'body'> & { readonly body?: BodyOf<R> } = {},
): Promise<AnswerOf<R>> {
  return (await callJson(endpoint, input)) as AnswerOf<R>
}
