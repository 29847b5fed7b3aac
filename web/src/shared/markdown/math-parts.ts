import 'katex/dist/katex.min.css'

export { type MathParts, mathParts } from '@parley/markdown/math'
