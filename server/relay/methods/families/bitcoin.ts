import {
  type BlockReference,
  blockAt,
  createMethodTable,
  keyUse,
  nodeControl,
  placeAt,
  prices,
  read,
  write,
} from '../method-table.ts'

/*
 * Sources: Bitcoin Core's RPC reference (30.0, with the hidden commands of its test frameworks), the additions of Litecoin,
 * Dogecoin, Bitcoin Cash, Dash and Zcash (zcashd and Zebra); compared with drpcorg/nodecore
 * (pkg/methods/specs/bitcoin-json-rpc.json), which relays some of the wallet's methods: here they are refused.
 */

const requiredAt = (position: number, name: string, ...forms: ('number' | 'hash')[]): BlockReference =>
  blockAt(placeAt(position, { name }), forms)

const latestAt = (position: number, name: string, ...forms: ('number' | 'hash')[]): BlockReference =>
  blockAt(placeAt(position, { name }), forms, 'latest')

export const bitcoinMethods = createMethodTable([
  [read({ block: requiredAt(0, 'blockhash', 'hash') }), 'getblock getblockheader getblockfilter'],
  [read({ block: requiredAt(0, 'height', 'number') }), 'getblockhash'],
  [read({ block: requiredAt(0, 'hash_or_height', 'number', 'hash') }), 'getblockstats'],
  [read({ block: latestAt(1, 'blockhash', 'hash') }), 'getchaintxstats'],
  [
    read({ block: latestAt(1, 'hash_or_height', 'number', 'hash'), credits: prices.replay }),
    'gettxoutsetinfo',
  ],
  [
    read(),
    `getbestblockhash getblockchaininfo getblockcount getblocknumber getblocksubsidy getchainstates getchaintips
    getdeploymentinfo getdifficulty getindexinfo getmempoolancestors getmempooldescendants getmempoolentry
    getmempoolcluster getmempoolfeeratediagram getmempoolinfo getmemorypool getrawmempool getorphantxs gettxout
    gettxoutproof verifytxoutproof gettxspendingprevout getrawtransaction getrawtransactionmulti decoderawtransaction
    decodescript decodepsbt analyzepsbt combinepsbt combinerawtransaction converttopsbt createpsbt createrawtransaction
    finalizepsbt joinpsbts utxoupdatepsbt testmempoolaccept estimatesmartfee estimaterawfee estimatefee
    estimatesmartpriority estimatepriority deriveaddresses getdescriptorinfo createmultisig validateaddress
    verifymessage getmininginfo getnetworkhashps getprioritisedtransactions getconnectioncount getnetworkinfo
    getnettotals uptime help getinfo getdsproof getdsprooflist getdsproofscore getbestchainlock getchainlock
    getislocks verifychainlock verifyislock z_gettreestate z_getsubtreesbyindex z_validateaddress z_listunifiedreceivers
    getspentinfo getspecialtxes getassetunlockstatuses`,
  ],
  [
    read({ credits: prices.search }),
    `scanblocks getdescriptoractivity getaddressbalance getaddressdeltas getaddressmempool getaddresstxids
    getaddressutxos getblockhashes getblockdeltas getblockheaders getmerkleblocks`,
  ],
  [write, 'sendrawtransaction submitpackage submitblock submitheader'],
  [
    nodeControl,
    `stop addnode addconnection addpeeraddress clearbanned disconnectnode setban listbanned setnetworkactive
    getaddednodeinfo getaddrmaninfo getrawaddrman getnodeaddresses getpeerinfo getblockfrompeer sendmsgtopeer ping
    getmemoryinfo getrpcinfo getzmqnotifications logging preciousblock pruneblockchain savemempool importmempool
    dumptxoutset loadtxoutset invalidateblock reconsiderblock verifychain scantxoutset waitforblock
    waitforblockheight waitfornewblock prioritisetransaction getblocktemplate getauxblock createauxblock submitauxblock
    generate* setgenerate getgenerate mockscheduler setmocktime syncwithvalidationinterfacequeue echo echoipc echojson
    resendwallettransactions debug masternode* mnsync protx* quorum* gobject*
    spork* parkblock unparkblock finalizeblock setexcessiveblock`,
  ],
  [
    keyUse,
    `abandontransaction abortrescan addmultisigaddress addhdkey backupwallet bumpfee createwallet
    createwalletdescriptor descriptorprocesspsbt dumphdinfo dumpprivkey dumpwallet encryptwallet enumeratesigners
    exportwatchonlywallet fundrawtransaction getaccount getaccountaddress getaddressesbyaccount getaddressesbylabel getaddressinfo
    getbalance getbalances gethdkeys getnewaddress getrawchangeaddress getreceivedbyaccount getreceivedbyaddress
    getreceivedbylabel gettransaction getunconfirmedbalance getwalletinfo import* keypoolrefill list* loadwallet
    lockunspent migratewallet move newkeypool psbtbumpfee removeprunedfunds rescanblockchain restorewallet send
    sendall sendfrom sendmany sendtoaddress setaccount sethdseed setfeerate setlabel settxfee setwalletflag
    signmessage signmessagewithprivkey signrawtransaction* simulaterawtransaction unloadwallet upgradetohd
    upgradewallet wallet* z_*`,
  ],
])
