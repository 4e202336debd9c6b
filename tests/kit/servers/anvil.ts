import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { type Abi, encodeDeployData, encodeFunctionData, parseAbi } from 'viem'
import { endWithUs } from '#tools/testing/end-with-us.ts'
import { projectRoot } from '#tools/project.ts'
import {
  PAYER_BYTECODE,
  STRICT_TOKEN_BYTECODE,
  TOKEN_BYTECODE,
} from '#tests/kit/contracts/bytecode.ts'

const binary = join(projectRoot, 'node_modules', '.bin', 'anvil')

/** A real EVM node with its own chain, which mines only on request. */
export type Anvil = {
  url: string
  chainId: number
  rpc<Result = unknown>(method: string, params?: readonly unknown[]): Promise<Result>
  mine(blocks?: number): Promise<void>
  height(): Promise<number>
  /** Sends coins or a call from a rich account; it waits for the next block. Returns the hash. */
  send(transaction: {
    to?: string
    value?: bigint
    data?: string
    from?: string
    gasPrice?: string
  }): Promise<string>
  /** Deploys a token in a separate block. All of it belongs to the rich account. */
  deployToken(token?: {
    decimals?: number
    feePermille?: number
    isQuiet?: boolean
  }): Promise<string>
  /** Deploys a token without a return value, which can be paused and blocks addresses. */
  deployStrictToken(): Promise<string>
  /** Deploys bytecode with encoded arguments, in digits without `0x`, in a block of its own. */
  deploy(bytecode: string, args?: string): Promise<string>
  /** Deploys the contract that pays on behalf of others. */
  deployPayer(): Promise<string>
  transferToken(contract: string, to: string, amount: bigint): Promise<string>
  /** Calls one of the test contracts' functions. */
  call(contract: string, name: string, args: readonly unknown[], value?: bigint): Promise<string>
  /** Calls any function of a contract, by its signature. */
  callAs(signature: string, contract: string, args: readonly unknown[]): Promise<string>
  stop(): Promise<void>
}

const abi: Abi = parseAbi([
  'constructor(uint8 decimals, uint256 feePermille, bool isQuiet)',
  'function transfer(address to, uint256 value)',
  'function pay(address[] to) payable',
  'function setPaused(bool isPaused)',
  'function setBlackListed(address who, bool isBlocked)',
  'function payTwice(address token, address to, uint256 first, uint256 second)',
])

/** The call with which an account sends its own tokens. */
export function transferCall(to: string, amount: bigint): string {
  return encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] })
}

export async function startAnvil(chainId = 1): Promise<Anvil> {
  const words = ['--port', '0', '--chain-id', String(chainId), '--no-mining', '--order', 'fifo']
  const child = spawn(binary, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  endWithUs(child)
  const url = `http://${await addressOf(child)}`
  const { rpc, rich } = await connect(url)

  const send: Anvil['send'] = async ({ value = 0n, from = rich, ...rest }) =>
    await rpc('eth_sendTransaction', [
      { from, value: `0x${value.toString(16)}`, gas: '0xf4240', ...rest },
    ])
  const mine = async (blocks = 1) => {
    await rpc('anvil_mine', [`0x${blocks.toString(16)}`])
  }
  const deploy = async (data: string) => {
    const hash = await send({ data })
    await mine()
    const receipt = await rpc<{ contractAddress: string }>('eth_getTransactionReceipt', [hash])
    return receipt.contractAddress
  }
  const call: Anvil['call'] = (to, functionName, args, value = 0n) =>
    send({ to, value, data: encodeFunctionData({ abi, functionName, args }) })

  return {
    url,
    chainId,
    rpc,
    mine,
    send,
    call,
    callAs: (signature, to, args) =>
      send({ to, data: encodeFunctionData({ abi: parseAbi([signature]) as Abi, args }) }),
    height: async () => Number(await rpc('eth_blockNumber')),
    async deployToken({ decimals = 6, feePermille = 0, isQuiet = false } = {}) {
      const args = [decimals, BigInt(feePermille), isQuiet]
      return await deploy(encodeDeployData({ abi, bytecode: `0x${TOKEN_BYTECODE}`, args }))
    },
    deployStrictToken: () => deploy(`0x${STRICT_TOKEN_BYTECODE}`),
    deploy: (bytecode, args = '') => deploy(`0x${bytecode}${args}`),
    deployPayer: () => deploy(`0x${PAYER_BYTECODE}`),
    transferToken: (contract, to, amount) => send({ to: contract, data: transferCall(to, amount) }),
    async stop() {
      const ended = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function connect(url: string) {
  const rpc: Anvil['rpc'] = async <Result>(method: string, params: readonly unknown[] = []) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(url, { method: 'POST', headers, body })
    const answer = (await reply.json()) as { result: Result; error?: { message: string } }
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }
  const [rich = ''] = await rpc<string[]>('eth_accounts')
  return { rpc, rich }
}

async function addressOf(child: ChildProcess): Promise<string> {
  let output = ''
  return await new Promise((resolve, reject) => {
    child.stdout?.on('data', (text: Buffer) => {
      output += text.toString()
      const address = /Listening on (\S+)/.exec(output)?.[1]
      if (address !== undefined) resolve(address)
    })
    child.once('close', () => reject(new Error(`Anvil did not start: ${output}`)))
  })
}
