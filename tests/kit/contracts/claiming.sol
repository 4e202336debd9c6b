// Contracts that the tests hand tokens out with, compiled by solc 0.8.37 (optimizer on, 1 run; EVM
// paris; no metadata) with @openzeppelin/contracts 5.7.0 (MIT). Uniswap's own MerkleDistributor
// cannot stand here: what is published of it names no licence.

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";

interface IToken {
    function transfer(address to, uint256 value) external returns (bool);
    function balanceOf(address account) external view returns (uint256);
}

// Hands out by index, with the leaf, the call and the event of Uniswap's MerkleDistributor; its
// owner can take back the rest.
contract IndexedDistributor {
    address public immutable token;
    bytes32 public immutable merkleRoot;
    address immutable owner = msg.sender;
    mapping(uint256 => bool) public isClaimed;
    event Claimed(uint256 index, address account, uint256 amount);

    constructor(address token_, bytes32 merkleRoot_) {
        token = token_;
        merkleRoot = merkleRoot_;
    }

    function claim(uint256 index, address account, uint256 amount, bytes32[] calldata proof)
        external
    {
        require(!isClaimed[index], "Already claimed");
        bytes32 leaf = keccak256(abi.encodePacked(index, account, amount));
        require(MerkleProof.verifyCalldata(proof, merkleRoot, leaf), "Invalid proof");
        isClaimed[index] = true;
        require(IToken(token).transfer(account, amount), "Transfer failed");
        emit Claimed(index, account, amount);
    }

    function withdraw() external {
        require(msg.sender == owner);
        IToken(token).transfer(owner, IToken(token).balanceOf(address(this)));
    }
}

// Hands out by a tree of OpenZeppelin's format standard-v1, with leaves of (address, uint256).
contract TreeClaimer {
    address public immutable token;
    bytes32 public immutable root;
    mapping(address => bool) public isClaimed;

    constructor(address token_, bytes32 root_) {
        token = token_;
        root = root_;
    }

    function claim(address account, uint256 amount, bytes32[] calldata proof) external {
        require(!isClaimed[account], "Already claimed");
        bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(account, amount))));
        require(MerkleProof.verifyCalldata(proof, root, leaf), "Invalid proof");
        isClaimed[account] = true;
        require(IToken(token).transfer(account, amount), "Transfer failed");
    }
}

// Emits what Sablier's instant campaigns emit, for anybody: it checks nothing.
contract InstantCampaign {
    address public immutable TOKEN;
    bytes32 public immutable MERKLE_ROOT;
    event ClaimInstant(
        uint256 index, address indexed recipient, uint128 amount, address to, bool viaSig
    );
    event Clawback(address indexed admin, address indexed to, uint128 amount);

    constructor(address token_, bytes32 root_) {
        TOKEN = token_;
        MERKLE_ROOT = root_;
    }

    function claimTo(uint256 index, address recipient, address to, uint128 amount) external {
        IToken(TOKEN).transfer(to, amount);
        emit ClaimInstant(index, recipient, amount, to, false);
    }

    function clawback(address to, uint128 amount) external {
        IToken(TOKEN).transfer(to, amount);
        emit Clawback(msg.sender, to, amount);
    }
}

// A token that keeps one percent of each transfer, and says so.
contract FeeToken {
    uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf;
    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor() { balanceOf[msg.sender] = 1e36; }

    function transfer(address to, uint256 value) external returns (bool) {
        uint256 fee = value / 100;
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value - fee;
        balanceOf[address(this)] += fee;
        emit Transfer(msg.sender, address(this), fee);
        emit Transfer(msg.sender, to, value - fee);
        return true;
    }
}

// Sends in one transaction what a Safe would send in a batch; it has to have the tokens.
contract BatchSender {
    function sendAll(address token, address[] calldata to, uint256[] calldata amounts) external {
        for (uint256 i = 0; i < to.length; i++) IToken(token).transfer(to[i], amounts[i]);
    }
}
