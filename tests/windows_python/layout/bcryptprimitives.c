/* Windows' bcryptprimitives.dll, which Wine 8 lacks: its one function that programs in Rust call, by the
   random numbers of advapi32. */

unsigned char SystemFunction036(void *data, unsigned long size);

__declspec(dllexport) int ProcessPrng(unsigned char *data, unsigned long long size)
{
    return SystemFunction036(data, (unsigned long)size);
}

int DllMainCRTStartup(void *module, unsigned reason, void *reserved)
{
    return 1;
}
