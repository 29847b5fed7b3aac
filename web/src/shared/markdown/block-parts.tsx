import { memo, type ReactNode } from 'react'
import { classNames } from '../ui/class-names.ts'

/** Blocks of one part. */
const partSize = 12
/** Parts from which on those out of view are not laid out: an answer of a megabyte would take seconds. */
const manyParts = 4

/** The drawn blocks of a text, in parts that draw again only when one of their own blocks did. */
export function BlockParts({ nodes }: { nodes: readonly ReactNode[] }) {
  const count = Math.ceil(nodes.length / partSize)
  return Array.from({ length: count }, (_, part) => (
    <Part
      key={partKey(part)}
      nodes={nodes.slice(part * partSize, (part + 1) * partSize)}
      distant={count >= manyParts && part < count - 1}
    />
  ))
}

// Parts have no identity but their place.
const partKey = (part: number) => part

interface PartProps {
  readonly nodes: readonly ReactNode[]
  /** Others follow it, so that its height no longer changes. */
  readonly distant: boolean
}

const Part = memo(
  function Part({ nodes, distant }: PartProps) {
    return <div className={classNames('markdown-part', distant && 'markdown-distant')}>{nodes}</div>
  },
  (before, now) =>
    before.distant === now.distant &&
    before.nodes.length === now.nodes.length &&
    before.nodes.every((node, index) => node === now.nodes[index]),
)
