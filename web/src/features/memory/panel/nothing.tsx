/** The frame of what is shown until a view's content is there. */
export const framed = 'rounded-card border border-line p-4'

/** Says that a view has no content yet, and what will be there. */
export const Nothing = ({ title, text }: { title: string; text: string }) => (
  <div className="rounded-card border border-line px-4 py-8 text-center">
    <p className="font-medium">{title}</p>
    <p className="mx-auto mt-1 max-w-md text-sm text-ink-2">{text}</p>
  </div>
)
