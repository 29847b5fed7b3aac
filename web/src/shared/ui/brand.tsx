/** The product's logo and name. */
export function Brand({ size = 22 }: { size?: number }) {
  return (
    <span className="flex items-center gap-2.5 font-semibold tracking-tight">
      <span
        aria-hidden="true"
        style={{ width: size, height: size, borderRadius: size * 0.32 }}
        className="bg-[conic-gradient(from_210deg,var(--brand),var(--second),var(--brand))] in-data-[theme=delglight]:brightness-125 forced-colors:border"
      />
      Parley
    </span>
  )
}
