import { Component, createRef, type ReactNode } from 'react'

/** An end of the selection: in the box by the number of characters before it, elsewhere by its node. */
type End = number | { readonly node: Node; readonly offset: number }
interface Ends {
  readonly anchor: End
  readonly focus: End
}

interface Props {
  readonly busy: boolean
  readonly children: ReactNode
}

/** The box of an answer, in which text stays selected while the answer grows: changing a node's text clears the selection in it. */
export class KeepSelection extends Component<Props> {
  private readonly box = createRef<HTMLDivElement>()

  override getSnapshotBeforeUpdate(): Ends | null {
    const box = this.box.current
    const { anchorNode, anchorOffset, focusNode, focusOffset, isCollapsed = true } = document.getSelection() ?? {}
    if (!box || isCollapsed || !anchorNode || !focusNode) return null
    if (!box.contains(anchorNode) && !box.contains(focusNode)) return null
    return { anchor: endAt(box, anchorNode, anchorOffset ?? 0), focus: endAt(box, focusNode, focusOffset ?? 0) }
  }

  override componentDidUpdate(_: Props, __: unknown, kept: Ends | null): void {
    const [box, selection] = [this.box.current, document.getSelection()]
    if (!kept || !box || !selection) return
    const [anchor, focus] = [placeOf(box, kept.anchor), placeOf(box, kept.focus)]
    if (!anchor || !focus) return
    const isKept = selection.anchorNode === anchor.node && selection.anchorOffset === anchor.offset
    if (isKept && selection.focusNode === focus.node && selection.focusOffset === focus.offset) return
    selection.setBaseAndExtent(anchor.node, anchor.offset, focus.node, focus.offset)
  }

  override render(): ReactNode {
    return (
      <div ref={this.box} className="markdown" aria-busy={this.props.busy ? true : undefined}>
        {this.props.children}
      </div>
    )
  }
}

function endAt(box: HTMLElement, node: Node, offset: number): End {
  if (!box.contains(node)) return { node, offset }
  const before = document.createRange()
  before.setStart(box, 0)
  before.setEnd(node, offset)
  return before.toString().length
}

function placeOf(box: HTMLElement, end: End): { node: Node; offset: number } | null {
  if (typeof end !== 'number') return end.node.isConnected ? end : null
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
  let left = end
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.nodeValue?.length ?? 0
    if (left <= length) return { node, offset: left }
    left -= length
  }
  return null
}
