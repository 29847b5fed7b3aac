import { boundBlock, createBlockSplitter, mayHaveMath, mergeBlocks, topLevelOf } from '@parley/markdown'
import { type ComponentType, type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import closeMarks from 'remend'
import { useText } from '../i18n/index.ts'
import { BlockParts } from './block-parts.tsx'
import { createBlockRenderer } from './block-renderer.ts'
import { createDrawBlock } from './draw-block.tsx'
import { loadMath, useMath } from './math-loader.ts'
import type { MathParts } from './math-parts.ts'
import { type BoxProps, PlainBox } from './plain-box.tsx'

interface Props {
  readonly text: string
  /** The answer is still growing: unclosed marks are closed for display. */
  readonly growing: boolean
  /** Renders everything at once; otherwise a long text is rendered in parts, so that the page stays responsive. */
  readonly whole?: boolean
  /** What the blocks are put into. */
  readonly box?: ComponentType<BoxProps>
}

/** UTF-16 units and blocks rendered before yielding to the page. */
const partLength = 10_000
const partBlocks = 60

/** An answer's text rendered as Markdown. */
export function MarkdownAnswer({ text, growing, whole = false, box: Box = PlainBox }: Props) {
  const { t } = useText()
  const prefix = `note${useId().replace(/\W/g, '')}-`
  const math = useMathParts(text)
  const footnotesLabel = t('chat.footnotes')
  const [split] = useState(createBlockSplitter)
  const [still] = useState(!growing)
  const { blocks: pieces, fenceOpen } = split(text)
  const topLevel = topLevelOf(pieces)
  const draw = useMemo(
    () => createBlockRenderer<ReactNode>(createDrawBlock({ prefix, footnotesLabel, topLevel, math })),
    [prefix, footnotesLabel, topLevel, math],
  )
  const blocks = still ? mergeBlocks(pieces) : pieces
  const shown = useParts(blocks, whole)
  const complete = shown === blocks
  const open = growing && complete && fenceOpen
  const last = shown.length - 1
  const closed = growing && complete && !open ? shown.map((block, at) => (at === last ? close(block) : block)) : shown
  return (
    <Box busy={!complete}>
      <BlockParts nodes={draw({ blocks: closed, fenceOpen: open })} />
    </Box>
  )
}

/** Closes open marks if the whole block is parsed. */
const close = (block: string): string =>
  boundBlock(block).rest === '' ? closeMarks(block, { linkMode: 'text-only', katex: false }) : block

/** The first blocks, growing after each render until all are included; `blocks` itself once complete. */
function useParts(blocks: readonly string[], whole: boolean): readonly string[] {
  const [drawn, setDrawn] = useState(0)
  const end = whole ? blocks.length : endOfPart(blocks, drawn)
  const waiting = end < blocks.length
  useEffect(() => {
    if (!waiting) return
    const timer = setTimeout(() => setDrawn(end), 0)
    return () => clearTimeout(timer)
  }, [waiting, end])
  return waiting ? blocks.slice(0, end) : blocks
}

function endOfPart(blocks: readonly string[], from: number): number {
  let length = 0
  for (const [index, block] of blocks.entries()) {
    if (index >= from) length += block.length
    if ((length > partLength && index > from) || index >= from + partBlocks) return index
  }
  return blocks.length
}

/** The formula renderer, loaded with the first text that may contain one. */
function useMathParts(text: string): MathParts | null {
  const parts = useMath((state) => state.parts)
  const wanted = parts === null && mayHaveMath(text)
  useEffect(() => {
    if (wanted) void loadMath()
  }, [wanted])
  return parts
}
