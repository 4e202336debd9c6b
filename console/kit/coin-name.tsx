interface CoinNameProps {
  coin: { short_name: string; chain: string }
}

/** A coin and its network, which is named only where it is not the coin's own. */
export function CoinName({ coin: { short_name: name, chain } }: CoinNameProps) {
  return (
    <>
      {name} {chain !== name && <span className="text-quiet">{chain}</span>}
    </>
  )
}
