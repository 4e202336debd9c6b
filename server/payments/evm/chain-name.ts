/** How a chain is named where all rails' chains stand together (CAIP-2). */
export function chainNameOf(chainId: number): string {
  return `eip155:${chainId}`
}

export function chainIdOf(name: string): number {
  return Number(name.slice('eip155:'.length))
}
