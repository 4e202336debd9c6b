// Contracts that the tests pay with, compiled by solc 0.8.37 (optimizer on, 1 run; EVM paris; no
// metadata).

pragma solidity ^0.8.0;

// A token. It keeps `feePermille` of each transfer, reports the whole amount, and may be quiet.
contract Token {
    uint8 public immutable decimals;
    uint256 immutable feePermille;
    bool immutable isQuiet;
    mapping(address => uint256) public balanceOf;
    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint8 decimals_, uint256 feePermille_, bool isQuiet_) {
        decimals = decimals_;
        feePermille = feePermille_;
        isQuiet = isQuiet_;
        balanceOf[msg.sender] = 1e36;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value - (value * feePermille) / 1000;
        if (!isQuiet) emit Transfer(msg.sender, to, value);
        return true;
    }
}

// Sends coins and tokens on, as exchanges and smart wallets do.
contract Payer {
    // Coins to each address, in equal parts.
    function pay(address payable[] calldata to) external payable {
        for (uint256 i = 0; i < to.length; i++) to[i].transfer(msg.value / to.length);
    }

    // Tokens to an address, in two transfers.
    function payTwice(Token token, address to, uint256 first, uint256 second) external {
        token.transfer(to, first);
        token.transfer(to, second);
    }
}

// A token without a return value, whose owner can pause it and block an address, as Tether's.
contract StrictToken {
    uint8 public constant decimals = 6;
    address public owner = msg.sender;
    bool public paused;
    mapping(address => bool) public isBlackListed;
    mapping(address => uint256) public balanceOf;
    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor() { balanceOf[msg.sender] = 1e36; }

    function transfer(address to, uint256 value) external {
        require(!paused && !isBlackListed[msg.sender]);
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
    }

    function setPaused(bool isPaused) external {
        require(msg.sender == owner);
        paused = isPaused;
    }

    function setBlackListed(address who, bool isBlocked) external {
        require(msg.sender == owner);
        isBlackListed[who] = isBlocked;
    }
}

// A token that refuses a sender by its answer alone: its transactions succeed.
contract AnsweringToken {
    uint8 public constant decimals = 6;
    mapping(address => bool) public isBlackListed;
    mapping(address => uint256) public balanceOf;
    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor() { balanceOf[msg.sender] = 1e36; }

    function transfer(address to, uint256 value) external returns (bool) {
        if (isBlackListed[msg.sender] || balanceOf[msg.sender] < value) return false;
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function setBlackListed(address who, bool isBlocked) external {
        isBlackListed[who] = isBlocked;
    }
}
