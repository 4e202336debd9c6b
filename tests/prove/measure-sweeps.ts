/**
 * Measures on a real node what it costs to bring payments to a treasury, by each way that decision
 * 85 compares: `node tests/prove/measure-sweeps.ts <folder> [counts]`. Prints the table.
 *
 * The folder has `<Name>.json` with `abi` and `bytecode` of contracts that are no part of this
 * project: `EntryPoint` and `Simple7702Account` of @account-abstraction/contracts 0.8.0;
 * `ForwarderV4`, `ForwarderFactoryV4` and `TetherToken` of BitGo/eth-multisig-v4, by solc 0.8.20,
 * optimizer on with 200 runs; and, by the same compiler, these two:
 *
 *     contract FixedTreasury { // the least that an address can delegate to
 *         address immutable treasury;
 *         constructor(address treasury_) { treasury = treasury_; }
 *         receive() external payable {}
 *         function sweep(address token) external {
 *             if (token == address(0)) {
 *                 (bool done, ) = treasury.call{value: address(this).balance}("");
 *                 require(done);
 *                 return;
 *             }
 *             (bool known, bytes memory answer) =
 *                 token.staticcall(abi.encodeWithSelector(0x70a08231, address(this)));
 *             require(known);
 *             (bool moved, bytes memory result) = token.call(
 *                 abi.encodeWithSelector(0xa9059cbb, treasury, abi.decode(answer, (uint256)))
 *             );
 *             require(moved && (result.length == 0 || abi.decode(result, (bool))));
 *         }
 *     }
 *     contract Caller { // calls many addresses in one transaction
 *         function sweepAll(address[] calldata all, address token) external {
 *             for (uint i = 0; i < all.length; i++) FixedTreasury(payable(all[i])).sweep(token);
 *         }
 *         function flushAll(address factory, address parent, bytes32[] calldata salts,
 *             address[] calldata at, address token) external {
 *             for (uint i = 0; i < salts.length; i++) {
 *                 IFactory(factory).createForwarder(parent, address(this), salts[i], false, false);
 *                 if (token != address(0)) IForwarder(at[i]).flushTokens(token);
 *             }
 *         }
 *     }
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Abi,
  concatHex,
  type Hex,
  encodeDeployData,
  encodeFunctionData,
  encodePacked,
  getContractAddress,
  keccak256,
  pad,
  toHex,
} from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { chunk } from '#server/payments/chains/concurrency.ts'
import { startAnvil } from '#tests/kit/servers/anvil.ts'

const [folder = '', counts = '1,50,500'] = process.argv.slice(2)
const GAS_PRICE = 1_000_000_000n
const NOBODY = '0x0000000000000000000000000000000000000000'
/** A transaction may have no more (EIP-7825); so much of it is used. */
const PER_TRANSACTION = 100

type Contract = { abi: Abi; bytecode: Hex }
type Signed = Parameters<PrivateKeyAccount['signTransaction']>[0]
type Asset = 'coin' | 'token'
type Way = { name: string; run(count: number, asset: Asset): Promise<bigint> }

const contractOf = (name: string) =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Contract

const anvil = await startAnvil(31_337)
await anvil.rpc('evm_setBlockGasLimit', ['0x1c9c3800'])
const payer = privateKeyToAccount(pad('0x01'))
await anvil.rpc('anvil_setBalance', [payer.address, toHex(10n ** 24n)])
const treasuryKey = 0xffff_0000n
let payerNonce = 0
let fresh = 2n

const deploy = async (name: string, args: readonly unknown[] = []) => {
  const { abi, bytecode } = contractOf(name)
  const hash = await submit(payer, {
    data: encodeDeployData({ abi, bytecode, args }),
    nonce: payerNonce++,
    gas: 15_000_000n,
  })
  await anvil.mine()
  const { contractAddress } = await receiptOf(hash)
  return { abi, at: contractAddress as Hex }
}

async function submit(from: PrivateKeyAccount, transaction: object): Promise<string> {
  const fees =
    'authorizationList' in transaction
      ? { type: 'eip7702', maxFeePerGas: GAS_PRICE * 2n, maxPriorityFeePerGas: GAS_PRICE }
      : { type: 'legacy', gasPrice: GAS_PRICE * 2n }
  const signed = await from.signTransaction({ chainId: 31_337, ...fees, ...transaction } as Signed)
  return await anvil.rpc<string>('eth_sendRawTransaction', [signed])
}

async function receiptOf(hash: string) {
  const receipt = await anvil.rpc<{ gasUsed: Hex; status: Hex; contractAddress: string }>(
    'eth_getTransactionReceipt',
    [hash],
  )
  if (receipt.status !== '0x1') throw new Error(`${hash} was reverted`)
  return receipt
}

async function gasOf(hashes: readonly string[]): Promise<bigint> {
  await anvil.mine()
  let sum = 0n
  for (const hash of hashes) sum += BigInt((await receiptOf(hash)).gasUsed)
  return sum
}

const token = await deploy('TetherToken', [10n ** 30n, 'Tether USD', 'USDT', 6n])
const caller = await deploy('Caller')
/** Where every chain has it; the account is bound to it. */
const ENTRY_POINT = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108'
const entryPoint = { ...(await deploy('EntryPoint')), at: ENTRY_POINT as Hex }
const deployed = getContractAddress({ from: payer.address, nonce: BigInt(payerNonce - 1) })
const code = await anvil.rpc('eth_getCode', [deployed, 'latest'])
await anvil.rpc('anvil_setCode', [ENTRY_POINT, code])
const simple = await deploy('Simple7702Account')
const implementation = await deploy('ForwarderV4')
const factory = await deploy('ForwarderFactoryV4', [implementation.at])

const transferOf = (to: Hex, amount: bigint) =>
  encodeFunctionData({ abi: token.abi, functionName: 'transfer', args: [to, amount] })
const newAccount = () => privateKeyToAccount(pad(toHex((fresh += 1n))))
const newTreasury = () => privateKeyToAccount(pad(toHex(treasuryKey + (fresh += 1n)))).address

/** Pays each address, in tokens or coins. */
async function pay(addresses: readonly Hex[], asset: Asset): Promise<void> {
  for (const address of addresses) {
    if (asset === 'coin') await anvil.rpc('anvil_setBalance', [address, toHex(10n ** 18n)])
    else {
      await submit(payer, {
        to: token.at,
        data: transferOf(address, 1_000_000n),
        gas: 200_000n,
        nonce: payerNonce++,
      })
    }
  }
  await anvil.mine()
}

const keys: Way = {
  name: 'keys',
  async run(count, asset) {
    const [accounts, treasury] = [Array.from({ length: count }, newAccount), newTreasury()]
    await pay(
      accounts.map(({ address }) => address),
      asset,
    )
    const hashes = []
    for (const { address } of asset === 'token' ? accounts : []) {
      const value = 80_000n * GAS_PRICE * 2n
      hashes.push(await submit(payer, { to: address, value, gas: 21_000n, nonce: payerNonce++ }))
    }
    const funded = await gasOf(hashes)
    const sent = []
    for (const account of accounts) {
      const what =
        asset === 'token'
          ? { to: token.at, data: transferOf(treasury, 1_000_000n), gas: 80_000n }
          : { to: treasury, value: 10n ** 18n - 21_000n * GAS_PRICE * 2n, gas: 21_000n }
      sent.push(await submit(account, { ...what, nonce: 0 }))
    }
    return funded + (await gasOf(sent))
  },
}

const authorize = async (account: PrivateKeyAccount, address: Hex, nonce: number) =>
  await account.signAuthorization({ chainId: 31_337, address, nonce })

const delegated = (endsIt: boolean): Way => ({
  name: `EIP-7702, least delegate (not audited)${endsIt ? ', then ended' : ''}`,
  async run(count, asset) {
    const [accounts, treasury] = [Array.from({ length: count }, newAccount), newTreasury()]
    await pay(
      accounts.map(({ address }) => address),
      asset,
    )
    const delegate = await deploy('FixedTreasury', [treasury])
    const hashes = []
    for (const part of chunk(accounts, PER_TRANSACTION)) {
      hashes.push(
        await submit(payer, {
          to: caller.at,
          data: encodeFunctionData({
            abi: caller.abi,
            functionName: 'sweepAll',
            args: [part.map(({ address }) => address), asset === 'token' ? token.at : NOBODY],
          }),
          authorizationList: await Promise.all(part.map((each) => authorize(each, delegate.at, 0))),
          gas: 16_000_000n,
          nonce: payerNonce++,
        }),
      )
    }
    for (const part of endsIt ? chunk(accounts, PER_TRANSACTION) : []) {
      hashes.push(
        await submit(payer, {
          to: payer.address,
          authorizationList: await Promise.all(part.map((each) => authorize(each, NOBODY, 1))),
          gas: 16_000_000n,
          nonce: payerNonce++,
        }),
      )
    }
    return await gasOf(hashes)
  },
})

const audited: Way = {
  name: 'EIP-7702, Simple7702Account by EntryPoint 0.8',
  async run(count, asset) {
    const [accounts, treasury] = [Array.from({ length: count }, newAccount), newTreasury()]
    await pay(
      accounts.map(({ address }) => address),
      asset,
    )
    const hashes = []
    for (const part of chunk(accounts, PER_TRANSACTION)) {
      const authorizationList = await Promise.all(part.map((each) => authorize(each, simple.at, 0)))
      const operations = await Promise.all(
        part.map(async (account) => {
          const [to, value, data] =
            asset === 'token'
              ? [token.at, 0n, transferOf(treasury, 1_000_000n)]
              : [treasury, 10n ** 18n, '0x']
          const operation = {
            sender: account.address,
            nonce: 0n,
            initCode: '0x',
            callData: encodeFunctionData({
              abi: simple.abi,
              functionName: 'execute',
              args: [to, value, data],
            }),
            accountGasLimits: concatHex([
              pad(toHex(60_000), { size: 16 }),
              pad(toHex(80_000), { size: 16 }),
            ]),
            preVerificationGas: 0n,
            gasFees: pad('0x', { size: 32 }),
            paymasterAndData: '0x' as Hex,
          }
          const hash = await anvil.rpc<Hex>('eth_call', [
            {
              to: entryPoint.at,
              data: encodeFunctionData({
                abi: entryPoint.abi,
                functionName: 'getUserOpHash',
                args: [{ ...operation, signature: '0x' }],
              }),
            },
            'latest',
          ])
          return { ...operation, signature: await account.sign({ hash }) }
        }),
      )
      hashes.push(
        await submit(payer, {
          to: entryPoint.at,
          data: encodeFunctionData({
            abi: entryPoint.abi,
            functionName: 'handleOps',
            args: [operations, payer.address],
          }),
          authorizationList,
          gas: 16_700_000n,
          nonce: payerNonce++,
        }),
      )
    }
    const gas = await gasOf(hashes)
    const [first] = accounts
    if (first !== undefined) await requireEmpty(first.address, asset)
    return gas
  },
}

const forwarders: Way = {
  name: 'Forwarders of BitGo (V4)',
  async run(count, asset) {
    const treasury = newTreasury()
    const salts = Array.from({ length: count }, () => pad(toHex((fresh += 1n))))
    const places = salts.map((salt) => {
      const finalSalt = keccak256(
        encodePacked(['address', 'address', 'bytes32'], [treasury, caller.at, salt]),
      )
      const bytecode = concatHex([
        '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
        implementation.at,
        '0x5af43d82803e903d91602b57fd5bf3',
      ])
      return getContractAddress({ from: factory.at, opcode: 'CREATE2', salt: finalSalt, bytecode })
    })
    await pay(places, asset)
    const hashes = []
    for (const part of chunk(
      salts.map((salt, place) => ({ salt, at: places[place] })),
      60,
    )) {
      const args = [
        factory.at,
        treasury,
        part.map(({ salt }) => salt),
        part.map(({ at }) => at),
        asset === 'token' ? token.at : NOBODY,
      ]
      hashes.push(
        await submit(payer, {
          to: caller.at,
          data: encodeFunctionData({ abi: caller.abi, functionName: 'flushAll', args }),
          gas: 16_700_000n,
          nonce: payerNonce++,
        }),
      )
    }
    const gas = await gasOf(hashes)
    await requireEmpty(places[0] as Hex, asset)
    return gas
  },
}

async function requireEmpty(address: Hex, asset: Asset): Promise<void> {
  const data = encodeFunctionData({ abi: token.abi, functionName: 'balanceOf', args: [address] })
  const left =
    asset === 'token'
      ? await anvil.rpc<Hex>('eth_call', [{ to: token.at, data }, 'latest'])
      : await anvil.rpc<Hex>('eth_getBalance', [address, 'latest'])
  if (BigInt(left) !== 0n) throw new Error(`${address} still has ${BigInt(left)}`)
}

const rows = ['| way | asset | payments | gas in all | gas a payment |', '| - | - | -: | -: | -: |']
for (const way of [keys, delegated(false), delegated(true), audited, forwarders]) {
  for (const asset of ['coin', 'token'] as const) {
    for (const count of counts.split(',').map(Number)) {
      const gas = await way.run(count, asset)
      rows.push(`| ${way.name} | ${asset} | ${count} | ${gas} | ${gas / BigInt(count)} |`)
      process.stderr.write(`${rows.at(-1)}\n`)
    }
  }
}
process.stdout.write(`${rows.join('\n')}\n`)
await anvil.stop()
