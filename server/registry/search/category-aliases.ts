/**
 * What people call categories. A line is a list of categories that answer, then phrases, separated by commas. A phrase
 * that ends in `+` says more than the category, so its words are looked for as well; one in brackets only hints at it.
 */
export const categoryAliases = `
apis: rpc, rpc node, rpc endpoint, rpc provider, rpc api, rpc url, node, full node, node provider, node rpc, node api, endpoint, json rpc, jsonrpc, validator node, light node, blockchain node, (api)
explorers: explorer, block explorer, blockchain explorer, transaction explorer, scan, scanner+, look up transaction, look up address, blockexplorer, block browser, chain explorer
mcpservers: mcp, mcp server, tool server, model context protocol, agent tool, tool for agent, server for agent, ai tool, mcp tool
wallets: wallet, crypto wallet, key storage
ramps: ramp, on ramp, off ramp, onramp, offramp, fiat ramp, fiat on ramp, fiat onramp, fiat, buy crypto, sell crypto, buy token, buy coin, purchase crypto, buy bitcoin+, buy eth+, crypto with card, cash out
oracles: oracle, price feed, price oracle, data feed, random number+, randomness+, vrf+, data oracle
bridges: bridge, bridging, cross chain, cross chain bridge, token bridge, crosschain, cross chain transfer, cross chain swap+, cross chain messaging+, interoperability, transfer between chain
faucets: faucet, test eth, testnet eth, test token, testnet token, test coin, testnet coin, test ether, test fund
sdks: sdk, library, client library, framework, programming library, developer kit, dev kit, npm package, toolkit
analytics: analytics, dashboard, analytic, metric, chart, tvl+, statistic
security: security, audit+, auditor+, auditing+, smart contract audit+, static analysis+, fuzzing+, fuzzer+, bug bounty+, scam+, phishing+, threat+, threat monitoring+, risk+, vulnerability+, formal verification+
storages: storage, file storage, decentralized storage, data storage, pinning+, ipfs+, permanent storage+, store file
apis services: indexer+, indexing+, subgraph hosting+, (subgraph+), (graphql+)
platforms: platform, no code+, (hosting+)
services: (service)
`
