import type { Route } from '@parley/contracts'
import type { z } from 'zod'
import { type CallInput, callJson, type Target } from './http.ts'

/** A call of the contract that the SPA makes, carrying its types. */
export interface Endpoint<R> extends Target {
  /** Never set: it only carries the type. */
  readonly route?: R
}

type AnswerOf<R> = R extends Route<z.ZodType, z.ZodType, z.ZodType, infer A> ? z.output<A> : never
type BodyOf<R> = R extends Route<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.input<B> : never

/** Names a call of the contract. */
export const to = <R>(method: Target['method'], path: Target['path']): Endpoint<R> => ({ method, path })

/** Makes a call: its body and answer have the contract's types. Throws ApiError, or AbortError when `signal` aborts. */
export async function request<R>(
  endpoint: Endpoint<R>,
  input: Omit<CallInput, 'body'> & { readonly body?: BodyOf<R> } = {},
): Promise<AnswerOf<R>> {
  return (await callJson(endpoint, input)) as AnswerOf<R>
}
