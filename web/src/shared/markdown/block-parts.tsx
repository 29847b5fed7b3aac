import { memo, type ReactNode } from 'react'
import { classNames } from '../ui/class-names.ts'

/** Blocks per part. */
const partSize = 12
/** From this many parts on, those out of view are not laid out: an answer of a megabyte would take seconds. */
const manyParts = 4

/** The rendered blocks of a text, in parts that re-render only when one of their blocks changed. */
export function BlockParts({ nodes }: { nodes: readonly ReactNode[] }) {
  const count = Math.ceil(nodes.length / partSize)
  return Array.from({ length: count }, (_, part) => (
    <Part
      key={partKey(part)}
      nodes={nodes.slice(part * partSize, (part + 1) * partSize)}
      last={part === count - 1}
      distant={count >= manyParts && part < count - 1}
    />
  ))
}

// A part's identity is its position.
const partKey = (part: number) => part

interface PartProps {
  readonly nodes: readonly ReactNode[]
  readonly last: boolean
  /** Other parts follow, so its height no longer changes. */
  readonly distant: boolean
}

const Part = memo(
  function Part({ nodes, last, distant }: PartProps) {
    return (
      <div className={classNames('markdown-part', last && 'markdown-last', distant && 'markdown-distant')}>{nodes}</div>
    )
  },
  (before, now) =>
    before.last === now.last &&
    before.distant === now.distant &&
    before.nodes.length === now.nodes.length &&
    before.nodes.every((node, index) => node === now.nodes[index]),
)
