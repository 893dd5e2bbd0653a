from paxman.cli import main

main()
